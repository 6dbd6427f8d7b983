//! Modules written by hand, word for word.

use super::*;

/// An instruction.
fn op(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let mut words = vec![((operands.len() as u32 + 1) << 16) | opcode];
    words.extend(operands);
    words
}

/// A module of version 1.`minor` that declares `capability`, with an entry point `add` (number 1)
/// whose interface is the variable 2, in set 0 at binding 3.
fn module(minor: u8, capability: u32) -> Vec<u8> {
    let name = u32::from_le_bytes(*b"add\0");
    let mut words = vec![0x0723_0203, 0x0001_0000 | u32::from(minor) << 8, 0, 10, 0];
    words.extend(op(17, &[capability]));
    words.extend(op(15, &[5, 1, name, 2]));
    words.extend(op(16, &[1, 17, 64, 1, 1]));
    words.extend(op(71, &[2, 34, 0]));
    words.extend(op(71, &[2, 33, 3]));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn read(bytes: &[u8]) -> Result<Code, String> {
    Code::new(None, bytes)
}

#[test]
fn whole_ones() {
    let code = read(&module(6, 1)).unwrap();
    assert_eq!(code.spirv, (1, 6));
    assert_eq!(code.capabilities, [1]);
    assert_eq!(
        code.check_kernel("add", Some([64, 1, 1]), &[(0, 3)]),
        Ok(())
    );
    assert_eq!(code.check_kernel("add", None, &[(0, 3)]), Ok(()));
    let two = string(&[0x6463_6261, 0x0000_0065, 7]);
    assert_eq!(two, ("abcde".to_owned(), &[7][..]));
}

#[test]
fn damaged_ones() {
    let whole = module(3, 1);
    assert_eq!(
        read(b"; SPIR-V").unwrap_err(),
        "is no SPIR-V: it does not start as one"
    );
    assert_eq!(
        read(&[]).unwrap_err(),
        "is no SPIR-V: it does not start as one"
    );
    let damaged = Err("is damaged: it ends amid an instruction".to_owned());
    // Ends between two instructions are those of shorter modules.
    let ends = [20, 28, 48, 72, 88];
    for length in 4..whole.len() {
        if !ends.contains(&length) {
            assert_eq!(read(&whole[..length]), damaged, "{length} bytes");
        }
    }
    let mut endless = whole.clone();
    endless[22..24].copy_from_slice(&[0, 0]);
    assert_eq!(read(&endless), damaged);
    let ptx = Image {
        file: "k".into(),
        format: ImageFormat::Ptx,
    };
    assert_eq!(
        Code::new(Some(&ptx), &whole).unwrap_err(),
        "is no SPIR-V by its manifest, and Vulkan devices take nothing else"
    );
}

#[test]
fn of_another_compilation() {
    let code = read(&module(6, 1)).unwrap();
    let check = |symbol, size, bound: &[(u32, u32)], expect: &str| {
        assert_eq!(code.check_kernel(symbol, size, bound).unwrap_err(), expect);
    };
    check("sub", None, &[(0, 3)], "has no kernel \"sub\"");
    check(
        "add",
        Some([32, 1, 1]),
        &[(0, 3)],
        "has work-groups of [64, 1, 1] for kernel \"add\", and its manifest says [32, 1, 1]: they \
         are not of one compilation",
    );
    for minor in [3, 6] {
        let code = read(&module(minor, 1)).unwrap();
        assert_eq!(
            code.check_kernel("add", None, &[(0, 2), (1, 3)])
                .unwrap_err(),
            "has a buffer of kernel \"add\" in set 0 at binding 3, of which its manifest knows \
             nothing: they are not of one compilation"
        );
    }
}

#[test]
fn what_a_device_lacks() {
    let features = Features::of(Version::V1_2, &["shader_int64"]);
    let check = |minor, capability| {
        read(&module(minor, capability))
            .unwrap()
            .check(Version::V1_2, &features, "d")
    };
    let (int64, float64, shared_add) = (11, 10, 6033);
    assert_eq!(check(5, int64), Ok(()));
    assert_eq!(
        check(6, int64).unwrap_err(),
        "is of SPIR-V 1.6, and d takes at most 1.5"
    );
    assert_eq!(
        check(3, float64).unwrap_err(),
        "needs the capability Float64, but d lacks shader_float64"
    );
    assert_eq!(
        check(3, shared_add).unwrap_err(),
        "needs the capability AtomicFloat32AddEXT, but d lacks shader_buffer_float32_atomic_add \
         and shader_shared_float32_atomic_add"
    );
}
