//! Loops around a swap, written in many ways, before and after `xpu-raise-cas-loops`: both do what the
//! oracle says under contention, and the pass makes of each the kind that it is.

use xpu_dialect::context;
use xpu_dialect::ir::Module;
use xpu_dialect::passes::PassManager;
use xpu_test_support::Type;
use xpu_test_support::matrix::{self, ADDRESSES, Case, Data, GROUP, GROUPS};

use crate::launch::{Buffer, compile, launch, report};

/// How a kind is written: what it computes, the kind that it is raised to, and how `%new` comes from
/// `%seen` and `%v`. `T` is the type; `%zero`, `%one` and `%ones` are there for integers.
type Spelling = (&'static str, &'static str, &'static str);

#[rustfmt::skip] // one spelling a line
const INTEGERS: &[Spelling] = &[
    ("add", "add", "%new = arith.addi %seen, %v : T"),
    ("add", "add", "%new = arith.addi %v, %seen : T"),
    ("add", "add", "%new = arith.addi %seen, %v overflow<nsw> : T"),
    ("add", "sub", "%n = arith.subi %zero, %v : T\n%new = arith.subi %seen, %n : T"),
    ("sub", "sub", "%new = arith.subi %seen, %v : T"),
    ("sub", "add", "%n = arith.subi %zero, %v : T\n%new = arith.addi %seen, %n : T"),
    ("and", "and", "%new = arith.andi %seen, %v : T"),
    ("and", "and", "%new = arith.andi %v, %seen : T"),
    ("or", "or", "%new = arith.ori %seen, %v : T"),
    ("or", "or", "%new = arith.ori %v, %seen : T"),
    ("xor", "xor", "%new = arith.xori %seen, %v : T"),
    ("xor", "xor", "%new = arith.xori %v, %seen : T"),
    ("xchg", "xchg", "%new = arith.ori %v, %zero : T"),
    ("smin", "smin", "%new = arith.minsi %seen, %v : T"),
    ("smin", "smin", "%new = arith.minsi %v, %seen : T"),
    ("smin", "smin", "%c = arith.cmpi slt, %seen, %v : T\n%new = arith.select %c, %seen, %v : T"),
    ("smin", "smin", "%c = arith.cmpi sle, %v, %seen : T\n%new = arith.select %c, %v, %seen : T"),
    ("smin", "smin", "%c = arith.cmpi sgt, %seen, %v : T\n%new = arith.select %c, %v, %seen : T"),
    ("smin", "smin", "%c = arith.cmpi sge, %v, %seen : T\n%new = arith.select %c, %seen, %v : T"),
    ("smax", "smax", "%new = arith.maxsi %seen, %v : T"),
    ("smax", "smax", "%c = arith.cmpi sgt, %seen, %v : T\n%new = arith.select %c, %seen, %v : T"),
    ("smax", "smax", "%c = arith.cmpi sge, %v, %seen : T\n%new = arith.select %c, %v, %seen : T"),
    ("smax", "smax", "%c = arith.cmpi slt, %seen, %v : T\n%new = arith.select %c, %v, %seen : T"),
    ("smax", "smax", "%c = arith.cmpi sle, %v, %seen : T\n%new = arith.select %c, %seen, %v : T"),
    ("umin", "umin", "%new = arith.minui %v, %seen : T"),
    ("umin", "umin", "%c = arith.cmpi ult, %v, %seen : T\n%new = arith.select %c, %v, %seen : T"),
    ("umin", "umin", "%c = arith.cmpi ule, %seen, %v : T\n%new = arith.select %c, %seen, %v : T"),
    ("umin", "umin", "%c = arith.cmpi ugt, %v, %seen : T\n%new = arith.select %c, %seen, %v : T"),
    ("umin", "umin", "%c = arith.cmpi uge, %seen, %v : T\n%new = arith.select %c, %v, %seen : T"),
    ("umax", "umax", "%new = arith.maxui %seen, %v : T"),
    ("umax", "umax", "%c = arith.cmpi ugt, %seen, %v : T\n%new = arith.select %c, %seen, %v : T"),
    ("umax", "umax", "%c = arith.cmpi ult, %seen, %v : T\n%new = arith.select %c, %v, %seen : T"),
    ("uinc_wrap", "uinc_wrap", "%c = arith.cmpi uge, %seen, %v : T\n%n = arith.addi %seen, %one : T\n%new = arith.select %c, %zero, %n : T"),
    ("uinc_wrap", "uinc_wrap", "%c = arith.cmpi ult, %seen, %v : T\n%n = arith.addi %one, %seen : T\n%new = arith.select %c, %n, %zero : T"),
    ("uinc_wrap", "uinc_wrap", "%c = arith.cmpi ule, %v, %seen : T\n%n = arith.subi %seen, %ones : T\n%new = arith.select %c, %zero, %n : T"),
    ("udec_wrap", "udec_wrap", "%e = arith.cmpi eq, %seen, %zero : T\n%g = arith.cmpi ugt, %seen, %v : T\n%c = arith.ori %e, %g : i1\n%n = arith.subi %seen, %one : T\n%new = arith.select %c, %v, %n : T"),
    ("udec_wrap", "udec_wrap", "%e = arith.cmpi ne, %seen, %zero : T\n%g = arith.cmpi uge, %v, %seen : T\n%c = arith.andi %g, %e : i1\n%n = arith.addi %seen, %ones : T\n%new = arith.select %c, %n, %v : T"),
    ("udec_wrap", "udec_wrap", "%n = arith.subi %seen, %one : T\n%new = arith.minui %n, %v : T"),
];

#[rustfmt::skip]
const FLOATS: &[Spelling] = &[
    ("xchg", "xchg", "%new = arith.select %true, %v, %v : T"),
    ("fadd", "fadd", "%new = arith.addf %seen, %v : T"),
    ("fadd", "fadd", "%new = arith.addf %v, %seen : T"),
    ("fadd", "fsub", "%n = arith.negf %v : T\n%new = arith.subf %seen, %n : T"),
    ("fsub", "fsub", "%new = arith.subf %seen, %v : T"),
    ("fsub", "fadd", "%n = arith.negf %v : T\n%new = arith.addf %seen, %n : T"),
    ("fmin", "fmin", "%new = arith.minnumf %seen, %v : T"),
    ("fmin", "fmin", "%new = arith.minnumf %v, %seen : T"),
    ("fmax", "fmax", "%new = arith.maxnumf %seen, %v : T"),
    ("fmax", "fmax", "%new = arith.maxnumf %v, %seen : T"),
    ("fminimum", "fminimum", "%new = arith.minimumf %seen, %v : T"),
    ("fmaximum", "fmaximum", "%new = arith.maximumf %v, %seen : T"),
];

/// Spellings for f16 and bf16 alone.
const HALVES: &[Spelling] = &[
    (
        "fadd",
        "fadd",
        "%x = arith.extf %seen : T to f32\n%y = arith.extf %v : T to f32\n\
         %z = arith.addf %x, %y : f32\n%new = arith.truncf %z : f32 to T",
    ),
    (
        "fmax",
        "fmax",
        "%x = arith.extf %seen : T to f64\n%y = arith.extf %v : T to f64\n\
         %z = arith.maxnumf %y, %x : f64\n%new = arith.truncf %z : f64 to T",
    ),
];

/// Spellings for i8 and i16 alone.
const SMALL: &[Spelling] = &[
    (
        "add",
        "add",
        "%x = arith.extsi %seen : T to i32\n%y = arith.extui %v : T to i32\n\
         %z = arith.addi %x, %y : i32\n%new = arith.trunci %z : i32 to T",
    ),
    (
        "smin",
        "smin",
        "%x = arith.extsi %seen : T to i32\n%y = arith.extsi %v : T to i32\n\
         %z = arith.minsi %x, %y : i32\n%new = arith.trunci %z : i32 to T",
    ),
];

/// Loops from `%m[%a]` to `%old`. `T` is the type, `B` the integer of its width, `NEW` the spelling, and
/// `SAME` the comparison of bits, which makes `%p` and `%q` of `%got` and `%seen`.
const SHAPES: &[&str] = &[
    // The result of the swap is carried.
    "%first = xpu.atomic_load %m[%a] ordering(relaxed) : memref<?xT>
     %old = scf.while (%seen = %first) : (T) -> T {
       NEW
       %got = xpu.cas %seen, %new, %m[%a] ordering(acq_rel) failure(relaxed) : memref<?xT>
       SAME
       %lost = arith.cmpi ne, %p, %q : B
       scf.condition(%lost) %got : T
     } do {
     ^bb0(%again: T):
       scf.yield %again : T
     }",
    // The element is read in each turn, and success is negated.
    "%old = scf.while : () -> T {
       %seen = xpu.atomic_load %m[%a] ordering(relaxed) : memref<?xT>
       NEW
       %got = xpu.cas %seen, %new, %m[%a] ordering(acq_rel) : memref<?xT>
       SAME
       %stored = arith.cmpi eq, %q, %p : B
       %lost = arith.xori %stored, %true : i1
       scf.condition(%lost) %seen : T
     } do {
     ^bb0(%unused: T):
       scf.yield
     }",
    // Bits are carried and swapped, from a guess.
    "%bits = xpu.reinterpret %m : memref<?xT> to memref<?xB>
     %guess = arith.constant 0 : B
     %end = scf.while (%was = %guess) : (B) -> B {
       %seen = arith.bitcast %was : B to T
       NEW
       %next = arith.bitcast %new : T to B
       %got = xpu.cas %was, %next, %bits[%a] ordering(acq_rel) : memref<?xB>
       %lost = arith.cmpi ne, %was, %got : B
       scf.condition(%lost) %got : B
     } do {
     ^bb0(%again: B):
       scf.yield %again : B
     }
     %old = arith.bitcast %end : B to T",
    // Blocks, of which one hands the value on.
    "%old = scf.execute_region -> T {
       %first = xpu.atomic_load %m[%a] ordering(relaxed) : memref<?xT>
       cf.br ^turn(%first : T)
     ^turn(%seen: T):
       NEW
       %got = xpu.cas %seen, %new, %m[%a] ordering(acq_rel) : memref<?xT>
       SAME
       %lost = arith.cmpi ne, %p, %q : B
       cf.cond_br %lost, ^again, ^out(%got : T)
     ^again:
       cf.br ^turn(%got : T)
     ^out(%r: T):
       scf.yield %r : T
     }",
];

/// A kernel with one loop.
struct Written {
    case: Case,
    name: String,
    raised: &'static str,
    text: String,
}

/// Every spelling, each in one of the shapes; those of one type together.
fn written() -> Vec<Written> {
    let cases = matrix::cases();
    let mut found = Vec::new();
    for ty in Type::SIGNLESS.into_iter().chain(Type::FLOATS) {
        let narrow: &[Spelling] = match (ty.bits < 32, ty.is_float()) {
            (true, true) => HALVES,
            (true, false) => SMALL,
            (false, _) => &[],
        };
        let spellings = if ty.is_float() { FLOATS } else { INTEGERS };
        for (number, (kind, raised, new)) in spellings.iter().chain(narrow).enumerate() {
            let name = format!("{kind}_{}_global_acq_rel", ty.name);
            let case = cases
                .iter()
                .find(|case| case.name == name)
                .expect("the matrix has each kind on each type");
            // Other types start with other shapes.
            let shape = SHAPES[(number + ty.bits as usize / 8) % SHAPES.len()];
            let name = format!("{name}_{number}");
            found.push(Written {
                case: case.clone(),
                text: kernel(&name, ty, shape, new),
                name,
                raised,
            });
        }
    }
    found
}

fn kernel(name: &str, ty: Type, shape: &str, new: &str) -> String {
    let bits = format!("i{}", ty.bits);
    let compare = "%p = arith.bitcast %got : T to B\n%q = arith.bitcast %seen : T to B";
    let mut shape = shape.replace("NEW", new);
    if ty.is_float() {
        shape = shape.replace("SAME", compare);
    } else {
        // Integers are their own bits.
        shape = shape
            .replace("SAME", "")
            .replace("%p, %q", "%got, %seen")
            .replace("%q, %p", "%seen, %got")
            .replace("%seen = arith.bitcast %was : B to T", "")
            .replace("%next = arith.bitcast %new : T to B", "")
            .replace("%old = arith.bitcast %end : B to T", "")
            .replace("%was", "%seen")
            .replace("%next", "%new")
            .replace("%end", "%old");
    }
    let constants = if ty.is_float() {
        String::new()
    } else {
        "%zero = arith.constant 0 : T\n%one = arith.constant 1 : T\n%ones = arith.constant -1 : T\n"
            .to_string()
    };
    let text = format!(
        "xpu.kernel @{name}(%m: memref<?xT>, %values: memref<?xT>, %expected: memref<?xT>, \
         %out: memref<?xT>) workgroup_size({GROUP}, 1, 1) {{\n\
         %count = arith.constant {ADDRESSES} : index\n%true = arith.constant true\n{constants}\
         %i = xpu.global_id x\n%a = arith.remui %i, %count : index\n\
         %v = memref.load %values[%i] : memref<?xT>\n{shape}\n\
         memref.store %old, %out[%i] : memref<?xT>\nxpu.return\n}}\n"
    );
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '%' || c == '@';
    text.split_inclusive(|c: char| !is_part(c))
        .map(|word| match word.trim_end_matches(|c: char| !is_part(c)) {
            "T" => word.replace('T', ty.name),
            "xT" | "B" | "xB" => word.replace('T', ty.name).replace('B', &bits),
            _ => word.to_string(),
        })
        .collect()
}

/// The module after the pass.
fn raise(text: &str) -> String {
    let context = context::new();
    let module = Module::parse(&context, text).expect("what compiles parses");
    let pass = PassManager::parse(&context, "xpu-raise-cas-loops").expect("the pass is registered");
    pass.run(module.op()).expect("the pass refuses by remarks");
    module.op().to_string()
}

/// Which zero wins is open in `arith` and is not for a loop to say.
fn without_zeros(case: &Case, mut data: Data) -> Data {
    if case.kind.starts_with("fm") {
        let one = case.ty.from_f64(1.0);
        for value in &mut data.values {
            if case.ty.to_f64(*value) == 0.0 {
                *value = one;
            }
        }
    }
    data
}

#[test]
fn loops_do_what_they_did() {
    let all = written();
    let mut findings = Vec::new();
    for of_type in all.chunk_by(|one, next| one.case.ty == next.case.ty) {
        let ty = of_type[0].case.ty;
        let text: String = of_type.iter().map(|one| one.text.as_str()).collect();
        // Compiling also makes the passes known.
        let loops = compile(&format!("loops-{}", ty.name), &text);
        let raised = raise(&text);
        findings.extend(not_raised(of_type, &raised));
        let operations = compile(&format!("raised-{}", ty.name), &raised);
        for one in of_type {
            let data = without_zeros(&one.case, one.case.data(GROUPS));
            for (what, compiled) in [("loop", &loops), ("raised", &operations)] {
                let mut buffers = [&data.memory, &data.values, &data.expected, &data.old]
                    .map(|bits| Buffer::new(ty, bits.clone()));
                let outcome = launch(compiled, &one.name, GROUPS, &mut buffers)
                    .and_then(|()| one.case.check(&data, &buffers[0].bits, &buffers[3].bits));
                if let Err(problem) = outcome {
                    findings.push(format!("{} ({what}): {problem}", one.name));
                }
            }
        }
    }
    report("loops", 2 * all.len(), &findings);
}

/// What the pass has made something else of, or nothing.
fn not_raised(of_type: &[Written], raised: &str) -> Vec<String> {
    let kernels: Vec<&str> = raised.split("xpu.kernel @").skip(1).collect();
    let wrong = of_type.iter().filter(|one| {
        let kernel = kernels
            .iter()
            .find(|kernel| kernel.starts_with(&format!("{}(", one.name)));
        let operation = format!("xpu.atomic_rmw {} ", one.raised);
        !kernel.is_some_and(|text| text.contains(&operation) && !text.contains("xpu.cas"))
    });
    wrong
        .map(|one| format!("{} is not raised to {}", one.name, one.raised))
        .collect()
}
