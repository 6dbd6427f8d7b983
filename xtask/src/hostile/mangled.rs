//! Hostile input from right input: cut, flipped, shuffled; bytes that are no text; launches that
//! cannot be.

use crate::hostile::Maker::Grow;
use crate::hostile::Verdict::{Everywhere, Free, Launch};
use crate::hostile::random::Random;
use crate::hostile::{Category, Made};

#[rustfmt::skip] // one row a line
pub(crate) const CATEGORIES: &[Category] = &[
    Category { name: "truncated", maker: Grow(truncated) },
    Category { name: "bytes flipped", maker: Grow(flipped) },
    Category { name: "word dropped", maker: Grow(dropped) },
    Category { name: "word doubled", maker: Grow(doubled) },
    Category { name: "words swapped", maker: Grow(swapped) },
    Category { name: "word of another file", maker: Grow(transplanted) },
    Category { name: "random bytes", maker: Grow(random_bytes) },
    Category { name: "not UTF-8", maker: Grow(not_utf8) },
    Category { name: "NUL bytes", maker: Grow(nul_bytes) },
    Category { name: "empty", maker: Grow(empty) },
    Category { name: "broken bytecode", maker: Grow(bytecode) },
    Category { name: "launch", maker: Grow(launch) },
];

/// Right files, rich in syntax; each kernel `k` takes what [`ARGUMENTS`] says.
const RIGHT: [&str; 3] = [
    "xpu.kernel @k(%m: memref<?xi32>, %n: i32) workgroup_size(4, 1, 1) {
  %one = arith.constant 1 : i32
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {
    %old = xpu.atomic_rmw add %one, %m[%i] ordering(relaxed) scope(device) : memref<?xi32>
  }
  xpu.return
}
",
    "xpu.kernel @k(%m: memref<?xi32> {xpu.memory = #xpu.memory<host_visible>}, %n: i32) \
     workgroup_size(2, 2, 1) attributes {note = \"text\"} {
  %s = xpu.shared : memref<4xi32, #gpu.address_space<workgroup>>
  %l = xpu.local_id y
  memref.store %n, %s[%l] : memref<4xi32, #gpu.address_space<workgroup>>
  xpu.barrier
  %v = memref.load %s[%l] : memref<4xi32, #gpu.address_space<workgroup>>
  %o = xpu.cas %n, %v, %m[%l] ordering(acq_rel) failure(acquire) scope(system) : memref<?xi32>
  xpu.fence ordering(seq_cst) scope(workgroup)
  xpu.return
}
",
    "xpu.kernel @k(%m: memref<?xi32>, %n: i32) workgroup_size(1, 1, 1) {
  %z = arith.constant 0 : index
  %f = xpu.reinterpret %m : memref<?xi32> to memref<?xf32>
  %x = arith.constant 1.5 : f32
  %a = xpu.atomic_rmw fadd %x, %f[%z] fastmath<reassoc> denormals(flush) : memref<?xf32>
  %b = xpu.atomic_load %m[%z] ordering(acquire) : memref<?xi32>
  %u = xpu.sign_cast %b : i32 to ui32
  xpu.atomic_store %n, %m[%z] ordering(release) : memref<?xi32>
  xpu.return
}
",
];

const ARGUMENTS: &[&str] = &["zeros:16xi32", "3:i32"];

fn mangled(verdict: crate::hostile::Verdict, text: impl Into<Vec<u8>>) -> Made {
    Made::new(verdict, text).arguments(ARGUMENTS)
}

/// Cut before its last brace: never right.
fn truncated(random: &mut Random, _made: usize) -> Made {
    let text = random.pick(&RIGHT);
    let last = text.rfind('}').expect("a kernel ends in a brace");
    mangled(Everywhere, &text[..1 + random.below(last - 1)])
}

fn flipped(random: &mut Random, _made: usize) -> Made {
    let mut bytes = random.pick(&RIGHT).as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] = random.byte();
    }
    mangled(Free, bytes)
}

/// Words with the blanks and brackets between them, so that joining gives the text back.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.@#%!".contains(c);
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| is_word(c) == is_word(first);
        let length = if is_word(first) {
            rest.find(|c| !same(c)).unwrap_or(rest.len())
        } else {
            1
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

/// Changes the words of a right file.
fn reworded(random: &mut Random, change: impl Fn(&mut Random, &mut Vec<&'static str>)) -> Made {
    let mut words = words(random.pick(&RIGHT));
    for _ in 0..1 + random.below(2) {
        change(random, &mut words);
    }
    mangled(Free, words.concat())
}

fn dropped(random: &mut Random, _made: usize) -> Made {
    reworded(random, |random, words| {
        let at = random.below(words.len());
        words.remove(at);
    })
}

fn doubled(random: &mut Random, _made: usize) -> Made {
    reworded(random, |random, words| {
        let at = random.below(words.len());
        words.insert(at, words[at]);
    })
}

fn swapped(random: &mut Random, _made: usize) -> Made {
    reworded(random, |random, words| {
        let (one, other) = (random.below(words.len()), random.below(words.len()));
        words.swap(one, other);
    })
}

fn transplanted(random: &mut Random, _made: usize) -> Made {
    reworded(random, |random, list| {
        let others = words(random.pick(&RIGHT));
        let at = random.below(list.len());
        list[at] = random.pick(&others);
    })
}

fn random_bytes(random: &mut Random, _made: usize) -> Made {
    let length = 1 + random.below(4096);
    let mut bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
    // Neither bytecode nor a comment to the end.
    bytes[0] = b'}';
    mangled(Everywhere, bytes)
}

/// Invalid bytes in the place of a word, where they cannot be a comment.
fn not_utf8(random: &mut Random, _made: usize) -> Made {
    let bad: &[u8] = random.pick(&[
        &b"\xff"[..],
        b"\xc3\x28",
        b"\xe2\x82",
        b"\xf8\x88\x80\x80\x80",
        b"\xc0\xaf",
    ]);
    let mut bytes = random.pick(&RIGHT).as_bytes().to_vec();
    let at = 1 + random.below(bytes.len() - 2);
    let inside_text = bytes[..at].iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
    bytes.splice(at..at, bad.iter().copied());
    mangled(if inside_text { Free } else { Everywhere }, bytes)
}

fn nul_bytes(random: &mut Random, made: usize) -> Made {
    if made == 0 {
        return mangled(Launch, vec![0; 64]);
    }
    let mut bytes = random.pick(&RIGHT).as_bytes().to_vec();
    let at = random.below(bytes.len());
    bytes.splice(at..at, std::iter::repeat_n(0, 1 + random.below(3)));
    mangled(Free, bytes)
}

/// Right for `xpu-opt`: an empty module. There is no kernel to run.
fn empty(random: &mut Random, made: usize) -> Made {
    let blanks = random.pick(&["\n", " ", "\t", "\r\n", "// nothing\n"]);
    let text = if made == 0 {
        String::new()
    } else {
        blanks.repeat(1 + random.below(50))
    };
    mangled(Launch, text)
}

/// The magic number of MLIR's bytecode, then nonsense.
fn bytecode(random: &mut Random, _made: usize) -> Made {
    let mut bytes = b"ML\xefR".to_vec();
    bytes.extend((0..random.below(400)).map(|_| random.byte()));
    mangled(Everywhere, bytes)
}

const LAUNCHES: &[&[&str]] = &[
    &[],
    &["zeros:16xi32"],
    &["zeros:16xi32", "3:i32", "3:i32"],
    &["3:i32", "zeros:16xi32"],
    &["zeros:16xf32", "3:i32"],
    &["zeros:16xi32", "3:i64"],
    &["zeros:16xi32", "99999999999999999999:i32"],
    &["zeros:-1xi32", "3:i32"],
    &["zeros:4294967296x4294967296xi32", "3:i32"],
    &["zeros:1099511627776xi32", "3:i32"],
    &["zeros:xi32", "3:i32"],
    &["zeros:16x", "3:i32"],
    &["zeros", "3:i32"],
    &["", "3:i32"],
    &["fill():16xi32", "3:i32"],
    &["fill(x):16xi32", "3:i32"],
    &["random():16xi32", "3:i32"],
    &["[1,2:i32", "3:i32"],
    &["[1,,2]:i32", "3:i32"],
    &["[nan]:i32", "3:i32"],
    &["@no/such/file.bin:i32", "3:i32"],
    &["@/:i32", "3:i32"],
    &["zeros:16xnothing", "3:i32"],
    &["zeros:16xi32", "x:i32"],
    &["zeros:16xi32", "3"],
];

fn launch(random: &mut Random, made: usize) -> Made {
    let at = if made == 0 {
        random.below(LAUNCHES.len())
    } else {
        made
    };
    Made::new(Launch, RIGHT[0]).arguments(LAUNCHES[at % LAUNCHES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_join_to_the_text() {
        for text in RIGHT {
            assert_eq!(words(text).concat(), text);
        }
        assert_eq!(
            words("%m[%i] : i32"),
            ["%m", "[", "%i", "]", " ", ":", " ", "i32"]
        );
    }

    #[test]
    fn truncated_files_end_before_the_kernel_does() {
        let mut random = Random::new(0);
        for made in 0..100 {
            let text = String::from_utf8(truncated(&mut random, made).text).unwrap();
            assert!(!text.is_empty() && !text.ends_with("}\n"));
        }
    }

    #[test]
    fn bad_bytes_are_bad() {
        let mut random = Random::new(0);
        for made in 0..100 {
            assert!(String::from_utf8(not_utf8(&mut random, made).text).is_err());
        }
    }
}
