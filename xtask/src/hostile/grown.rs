//! Hostile input by size: deep nesting, long chains, many of everything.

use crate::hostile::Maker::Grow;
use crate::hostile::Verdict::{Everywhere, Free, Launch, Nowhere};
use crate::hostile::random::Random;
use crate::hostile::{Category, Made};

#[rustfmt::skip] // one row a line
pub(crate) const CATEGORIES: &[Category] = &[
    Category { name: "deep ops", maker: Grow(deep_ops) },
    Category { name: "deep types", maker: Grow(deep_types) },
    Category { name: "deep attributes", maker: Grow(deep_attributes) },
    Category { name: "deep affine maps", maker: Grow(deep_affine_maps) },
    Category { name: "deep but never closed", maker: Grow(deep_open) },
    Category { name: "nested a little", maker: Grow(nested_a_little) },
    Category { name: "long expression", maker: Grow(long_expression) },
    Category { name: "long body", maker: Grow(long_body) },
    Category { name: "many blocks", maker: Grow(many_blocks) },
    Category { name: "many kernels", maker: Grow(many_kernels) },
    Category { name: "many arguments", maker: Grow(many_arguments) },
    Category { name: "many dimensions", maker: Grow(many_dimensions) },
    Category { name: "many functions that call in a ring", maker: Grow(ring_of_calls) },
    Category { name: "long name", maker: Grow(long_name) },
    Category { name: "odd element type", maker: Grow(odd_element) },
    Category { name: "not a ranked memref", maker: Grow(not_a_memref) },
];

/// What opens a level, what stands inside all of them, what closes a level.
type Level = (&'static str, &'static str, &'static str);

fn nest((open, inner, close): Level, depth: usize) -> String {
    open.repeat(depth) + inner + &close.repeat(depth)
}

/// The first file of a category has 20,000 levels, later ones as many or more.
fn depth(random: &mut Random, made: usize) -> usize {
    if made == 0 {
        20_000
    } else {
        20_000 + random.below(80_000)
    }
}

/// One of the choices, each in turn from where chance says.
fn turn<T: Copy>(choices: &[T], made: usize) -> T {
    choices[made % choices.len()]
}

fn kernel(signature: &str, body: &str) -> String {
    format!("xpu.kernel @k({signature}) workgroup_size(4, 1, 1) {{\n{body}\n  xpu.return\n}}\n")
}

const OPS: &[Level] = &[
    ("scf.if %t {\n", "", "}\n"),
    ("scf.for %i = %z to %z step %o {\n", "", "}\n"),
    ("scf.execute_region {\n", "scf.yield\n", "scf.yield\n}\n"),
    ("builtin.module {\n", "", "}\n"),
    (
        "\"scf.if\"(%t) ({\n",
        "\"scf.yield\"() : () -> ()\n",
        "}, {}) : (i1) -> ()\n",
    ),
    ("\"a.b\"() ({\n", "", "}) : () -> ()\n"),
];

fn deep_ops(random: &mut Random, made: usize) -> Made {
    let nested = nest(turn(OPS, made), depth(random, made));
    let constants = "  %t = arith.constant true\n  %z = arith.constant 0 : index\n  \
                     %o = arith.constant 1 : index\n";
    Made::new(Everywhere, kernel("", &format!("{constants}{nested}")))
}

const TYPES: &[Level] = &[
    ("tuple<", "i32", ">"),
    ("() -> (", "i32", ")"),
    ("(", "i32", ") -> ()"),
    ("complex<", "f32", ">"),
    ("vector<4x", "i32", ">"),
    ("memref<4x", "i32", ">"),
    ("tensor<4x", "i32", ">"),
    ("!llvm.struct<(", "i32", ")>"),
    ("!llvm.array<2 x ", "i32", ">"),
];

fn deep_types(random: &mut Random, made: usize) -> Made {
    let ty = nest(turn(TYPES, made), depth(random, made));
    Made::new(Everywhere, format!("func.func private @f({ty})\n"))
}

const ATTRIBUTES: &[Level] = &[
    ("[", "1", "]"),
    ("{a = ", "1", "}"),
    ("dense<[", "1", "]> : tensor<1xi32>"),
    ("dense<", "1", "> : tensor<i32>"),
    ("loc(fused[", "\"a\"", "])"),
    ("loc(callsite(\"a\" at ", "\"b\"", "))"),
    ("affine_set<(d0) : (", "d0 == 0", ")>"),
    ("array<i32: ", "1", ">"),
];

fn deep_attributes(random: &mut Random, made: usize) -> Made {
    let attribute = nest(turn(ATTRIBUTES, made), depth(random, made));
    Made::new(
        Everywhere,
        format!("func.func private @f() attributes {{x = {attribute}}}\n"),
    )
}

const AFFINE: &[Level] = &[
    ("(", "d0", ")"),
    ("(d0 + ", "d0", ")"),
    ("(", "d0", ") mod 7"),
    ("-(", "d0", ")"),
    ("2 * (", "d0", " + 1)"),
];

fn deep_affine_maps(random: &mut Random, made: usize) -> Made {
    let expression = nest(turn(AFFINE, made), depth(random, made));
    let map = format!("affine_map<(d0) -> ({expression})>");
    Made::new(
        Everywhere,
        format!("func.func private @f() attributes {{x = {map}}}\n"),
    )
}

const OPENERS: &[&str] = &[
    "(",
    "[",
    "{",
    "<",
    "(((",
    "[{",
    "tuple<",
    "\"a\"() ({\n",
    "module {\n",
    "affine_map<(",
    "loc(",
    "#x<",
    "!x<",
    "dense<[",
];

fn deep_open(random: &mut Random, made: usize) -> Made {
    let opener = OPENERS[(made + random.below(OPENERS.len())) % OPENERS.len()];
    let head = [
        "",
        "func.func private @f() attributes {x = ",
        "func.func private @f(",
    ];
    let text = random.pick(&head).to_owned() + &opener.repeat(depth(random, made));
    Made::new(Everywhere, text + "\n")
}

/// Well inside of any limit.
fn nested_a_little(random: &mut Random, made: usize) -> Made {
    let levels = 8 + random.below(24) + made;
    let atomic = "%old = xpu.atomic_rmw add %c, %m[%z] : memref<?xi32>\n";
    let nested = nest(("scf.if %t {\n", atomic, "}\n"), levels);
    let constants = "  %t = arith.constant true\n  %z = arith.constant 0 : index\n  \
                     %c = arith.constant 1 : i32\n";
    let verdict = if levels <= 64 { Nowhere } else { Free };
    Made::new(
        verdict,
        kernel("%m: memref<?xi32>", &format!("{constants}{nested}")),
    )
    .arguments(&["zeros:16xi32"])
}

/// Without brackets, so a check of brackets does not see it; the expression's tree is as deep.
fn long_expression(random: &mut Random, made: usize) -> Made {
    // Upstream takes quadratic time for them.
    let terms = 500 + random.below(2_000);
    let link = turn(&["d0 + d1 * 3 + ", "- ", "d0 mod 5 + ", "d0 * 2 - "], made);
    let expression = link.repeat(terms) + "d0";
    let map = format!("affine_map<(d0, d1) -> ({expression})>");
    Made::new(
        Free,
        format!("func.func private @f() attributes {{x = {map}}}\n"),
    )
}

fn long_body(random: &mut Random, made: usize) -> Made {
    let line = turn(
        &[
            "NEW = xpu.atomic_rmw add OLD, %m[%z] : memref<?xi32>\n",
            "NEW = arith.addi OLD, OLD : i32\n",
            "xpu.barrier\nNEW = xpu.atomic_rmw xchg OLD, %m[%z] : memref<?xi32>\n",
        ],
        made,
    );
    let mut body = String::from("%z = arith.constant 0 : index\n%v0 = arith.constant 1 : i32\n");
    for at in 0..500 + random.below(500) {
        body += &line
            .replace("OLD", &format!("%v{at}"))
            .replace("NEW", &format!("%v{}", at + 1));
    }
    Made::new(Free, kernel("%m: memref<?xi32>", &body)).arguments(&["zeros:16xi32"])
}

fn many_blocks(random: &mut Random, _made: usize) -> Made {
    let count = 500 + random.below(500);
    let mut body = String::from("  cf.br ^b0\n");
    for at in 0..count {
        body += &format!("^b{at}:\n  cf.br ^b{}\n", at + 1);
    }
    Made::new(Free, kernel("", &(body + &format!("^b{count}:"))))
}

fn many_kernels(random: &mut Random, _made: usize) -> Made {
    let one = |at| kernel("", "  xpu.barrier").replacen("@k", &format!("@k{at}"), 1);
    let text: String = (0..50 + random.below(100)).map(one).collect();
    Made::new(Launch, text)
}

fn many_arguments(random: &mut Random, _made: usize) -> Made {
    let count = 200 + random.below(800);
    let signature: Vec<_> = (0..count)
        .map(|at| format!("%a{at}: memref<?xi32>"))
        .collect();
    // Too few are passed.
    Made::new(Launch, kernel(&signature.join(", "), "")).arguments(&["zeros:4xi32"])
}

fn many_dimensions(random: &mut Random, _made: usize) -> Made {
    let shape = random
        .pick(&["1x", "?x", "2x"])
        .repeat(100 + random.below(900));
    Made::new(Launch, kernel(&format!("%m: memref<{shape}i32>"), "")).arguments(&["1:i32"])
}

fn ring_of_calls(random: &mut Random, made: usize) -> Made {
    let count = 2 + made + random.below(200);
    let mut text = String::new();
    for at in 0..count {
        let next = (at + 1) % count;
        text +=
            &format!("func.func @f{at}() {{\n  func.call @f{next}() : () -> ()\n  return\n}}\n");
    }
    let body = "  func.call @f0() : () -> ()";
    Made::new(crate::hostile::Verdict::Lowering, text + &kernel("", body))
}

fn long_name(random: &mut Random, made: usize) -> Made {
    let name = "n".repeat(100_000 + random.below(900_000));
    match made % 4 {
        0 => Made::new(Free, format!("func.func private @{name}()\n")),
        1 => Made::new(Everywhere, format!("func.func private @\"{name}\n")),
        2 => Made::new(
            Everywhere,
            format!("func.func private @f(!{name}.{name})\n"),
        ),
        _ => Made::new(Everywhere, kernel("", &format!("  xpu.{name}"))),
    }
}

const ELEMENTS: &[&str] = &[
    "i1",
    "i2",
    "i4",
    "i7",
    "i24",
    "i33",
    "i128",
    "index",
    "f80",
    "f128",
    "tf32",
    "f8E4M3FN",
    "f4E2M1FN",
    "complex<f32>",
    "vector<4xi32>",
    "tuple<i32>",
    "none",
    "memref<4xi32>",
    "!llvm.ptr",
    "tensor<4xi32>",
    "ui128",
    "si1",
    "vector<[4]xi32>",
];

fn odd_element(random: &mut Random, made: usize) -> Made {
    let element = ELEMENTS[(made * 7 + random.below(7)) % ELEMENTS.len()];
    let atomic = random.pick(&[
        "%o = xpu.atomic_rmw xchg %v, %m[%z]",
        "%o = xpu.cas %v, %v, %m[%z]",
        "%o = xpu.atomic_load %m[%z]",
        "xpu.atomic_store %v, %m[%z]",
    ]);
    let body = format!("  %z = arith.constant 0 : index\n  {atomic} : memref<?x{element}>");
    let signature = format!("%m: memref<?x{element}>, %v: {element}");
    Made::new(Everywhere, kernel(&signature, &body)).arguments(&["zeros:4xi32", "1:i32"])
}

fn not_a_memref(random: &mut Random, made: usize) -> Made {
    let ty = turn(
        &[
            "memref<*xi32>",
            "tensor<4xi32>",
            "vector<4xi32>",
            "i32",
            "!llvm.ptr",
            "tensor<*xi32>",
        ],
        made,
    );
    let atomic = random.pick(&[
        "%o = xpu.atomic_rmw add %v, %m[%z]",
        "%o = xpu.cas %v, %v, %m[%z]",
        "%o = xpu.atomic_load %m[%z]",
        "xpu.atomic_store %v, %m[]",
    ]);
    let body = format!("  %z = arith.constant 0 : index\n  {atomic} : {ty}");
    let signature = format!("%m: {ty}, %v: i32");
    Made::new(Everywhere, kernel(&signature, &body)).arguments(&["zeros:4xi32", "1:i32"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(made: Made) -> String {
        String::from_utf8(made.text).unwrap()
    }

    #[test]
    fn the_first_deep_file_has_twenty_thousand_ops() {
        let text = text(deep_ops(&mut Random::new(0), 0));
        assert_eq!(text.matches("scf.if").count(), 20_000);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn a_long_body_is_a_chain_of_values() {
        for made in 0..3 {
            let text = text(long_body(&mut Random::new(0), made));
            assert!(!text.contains("OLD") && text.contains("%v500"));
        }
    }

    #[test]
    fn a_ring_of_calls_closes() {
        let text = text(ring_of_calls(&mut Random::new(0), 0));
        assert_eq!(text.matches("@f0()").count(), 3);
    }
}
