//! What the argument language takes and what it says of the rest.

use std::fs;

use super::*;

fn check(text: &str, expect: &str) {
    let got = match parse_argument("argument 3", text) {
        Ok(values) => format!("{:?} {} {values}", values.shape(), values.element()),
        Err(error) => format!("{} {error}", error.exit_code()),
    };
    assert_eq!(got, expect);
}

/// The message alone, for the many that are usage errors of argument 3.
fn refuse(text: &str, message: &str) {
    check(text, &format!("2 argument 3 \"{text}\": {message}"));
}

#[test]
fn generators() {
    check("zeros:3xi32", "Some([3]) i32 [0, 0, 0]");
    check("zeros:2x2xui8", "Some([2, 2]) ui8 [0, 0, 0, 0]");
    check("zeros:0xf64", "Some([0]) f64 []");
    check(
        "zeros:3x0x99999999999999xf64",
        "Some([3, 0, 99999999999999]) f64 []",
    );
    check("fill(-7):2xi64", "Some([2]) i64 [-7, -7]");
    check("fill(nan):2xf32", "Some([2]) f32 [nan, nan]");
    check("fill(0x8000):1xbf16", "Some([1]) bf16 [-0.0]");
    check("fill(4294967295):1xsi32", "Some([1]) si32 [-1]");
    check("iota:4xf16", "Some([4]) f16 [0.0, 1.0, 2.0, 3.0]");
    check("iota:3xindex", "Some([3]) index [0, 1, 2]");
    check("iota:4xi1", "Some([4]) i1 [0, 1, 0, 1]");
    check("random(1):2xi32", "Some([2]) i32 [-1996333887, 1703865447]");
    check(
        "random(0x1):2xi32",
        "Some([2]) i32 [-1996333887, 1703865447]",
    );
    let wrapped = parse_argument("argument 0", "iota:300xi8").unwrap();
    assert_eq!(wrapped.bits(299), Some(299 - 256));
}

#[test]
fn lists_and_scalars() {
    check("[1,2,3]:i32", "Some([3]) i32 [1, 2, 3]");
    check(" [ 1 , 0xff ]:ui8", "Some([2]) ui8 [1, 255]");
    check("[]:i32", "Some([0]) i32 []");
    check("[1,2,3,4]:2x2xi32", "Some([2, 2]) i32 [1, 2, 3, 4]");
    check(
        "[nan,-nan,inf,-inf,-0.0,2.5,0x7fc00000]:f32",
        "Some([7]) f32 [nan, -nan, inf, -inf, -0.0, 2.5, nan]",
    );
    check("1000:i32", "None i32 1000");
    check("-5:i32", "None i32 -5");
    check("7:index", "None index 7");
    check("2.5:f32", "None f32 2.5");
    check("0x7fc00000:f32", "None f32 nan");
    check("true:i1", "None i1 1");
}

#[test]
fn malformed() {
    let types =
        "one of i1 i8 i16 i32 i64 si8 si16 si32 si64 ui8 ui16 ui32 ui64 f16 bf16 f32 f64 index";
    refuse(
        "17",
        "has no type: write it as 1000:i32, [1,2]:i32 or zeros:256xi32",
    );
    refuse(
        "",
        "has no type: write it as 1000:i32, [1,2]:i32 or zeros:256xi32",
    );
    refuse("zeros:i32", "has no extent: zeros:256xi32");
    refuse(
        "zeros:4xq32",
        &format!("unknown element type \"q32\": {types}"),
    );
    refuse("5:", &format!("unknown element type \"\": {types}"));
    refuse(
        "zeros:?xi32",
        "\"?xi32\" has an extent that is no number: write 4x8xi32",
    );
    refuse(
        "zeros:-4xi32",
        "\"-4xi32\" has an extent that is no number: write 4x8xi32",
    );
    refuse(
        "ones:4xi32",
        "\"ones\" makes no buffer: zeros, fill(VALUE), iota and random(SEED) do",
    );
    refuse("fill:4xi32", "\"fill\" is not well formed: fill(7):16xi32");
    refuse(
        "random(:4xi32",
        "\"random(\" is not well formed: random(42):16xi32",
    );
    refuse("fill(300):4xi8", "300 does not fit i8: -128 to 255");
    refuse(
        "random(x):4xi8",
        "seed: \"x\" is not an integer, which i64 takes: decimal or 0x bits",
    );
    refuse("[1,2:i32", "the list has no closing bracket: [1,2,3]:i32");
    refuse("[1,2]", "the list has no type: [1,2,3]:i32");
    refuse(
        "[1,,2]:i32",
        "element 1: \"\" is not an integer, which i32 takes: decimal or 0x bits",
    );
    refuse("[1,2,3]:2x2xi32", "lists 3 elements, not those of 2x2xi32");
    refuse("@data.bin", "the file has no type: @data.bin:i32");
    refuse("@:i32", "names no file: @data.bin:i32");
    refuse(
        "1.5:i32",
        "\"1.5\" is not an integer, which i32 takes: decimal or 0x bits",
    );
}

#[test]
fn absurd_sizes() {
    refuse(
        "zeros:99999999999999999999xi32",
        "the extent 99999999999999999999 is too large",
    );
    refuse(
        "zeros:4294967296x4294967296xi32",
        "4294967296x4294967296xi32 is larger than any memory",
    );
    let error = parse_argument("argument 0", "zeros:1000000000000000000xi32").unwrap_err();
    assert_eq!(error.exit_code(), 3);
    let text = error.to_string();
    let start = "out of memory: argument 0 \"zeros:1000000000000000000xi32\" needs 3.5 EiB, but ";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("xpu-argument-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a:b.bin");
    let name = path.display();
    fs::write(&path, [1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).unwrap();
    check(&format!("@{name}:i32"), "Some([2]) i32 [1, -1]");
    check(
        &format!("@{name}:2x1xui32"),
        "Some([2, 1]) ui32 [1, 4294967295]",
    );
    check(
        &format!("@{name}:i8"),
        "Some([8]) i8 [1, 0, 0, 0, -1, -1, -1, -1]",
    );
    let refused = |ty: &str| parse_argument("argument 0", &format!("@{name}:{ty}")).unwrap_err();
    let error = refused("3xi32");
    assert!(
        error
            .to_string()
            .ends_with("holds 2 elements, not those of 3xi32"),
        "{error}"
    );
    assert_eq!(error.exit_code(), 1);
    let error = refused("i1").to_string();
    assert!(
        error.ends_with("holds 255 at byte 4, but an i1 is 0 or 1"),
        "{error}"
    );
    fs::write(&path, [0; 7]).unwrap();
    let error = refused("i16").to_string();
    let expect = "holds 7 bytes, which is no whole number of 2-byte i16 elements";
    assert!(error.ends_with(expect), "{error}");
    fs::remove_dir_all(&folder).unwrap();
    let error = refused("i16");
    assert_eq!(error.exit_code(), 1);
    assert!(error.to_string().starts_with("cannot read "), "{error}");
}
