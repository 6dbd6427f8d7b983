//! Kernels from object files, which the C compiler writes here.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use xpu_runtime::{Device, EntryMode, Image, ImageFormat, Kernel, Launch, Memory, Slot};
use xpu_runtime_cpu::{CpuDevice, CpuProgram};

use crate::common::{Stand, manifest, read, settings};

/// What the kernels below have in common.
const HEADER: &str = "
    #include <stdint.h>
    #include <string.h>
    struct group {
        uint64_t id[3], count[3], size[3], local[3];
        uint8_t *shared;
        void *runtime;
    };
    extern void xpu_cpu_barrier(const struct group *, const char *);
    extern void xpu_cpu_out_of_bounds(const struct group *, const char *, const char *, uint64_t,
                                      int64_t, int64_t);
    #define OUT ((int32_t *)args[0])
";

struct Object {
    bytes: Vec<u8>,
    folder: PathBuf,
}

impl Object {
    fn compile(name: &str, source: &str, flags: &[&str]) -> Self {
        let process = std::process::id();
        let folder = std::env::temp_dir().join(format!("xpu-object-{process}-{name}"));
        fs::create_dir_all(&folder).unwrap();
        let (input, output) = (folder.join("k.c"), folder.join("k.o"));
        fs::write(&input, format!("{HEADER}{source}")).unwrap();
        let mut compiler = Command::new("cc");
        compiler
            .args(["-c", "-O2"])
            .args(flags)
            .arg(&input)
            .arg("-o")
            .arg(&output);
        assert!(
            compiler
                .status()
                .expect("a C compiler, as for linking Rust")
                .success()
        );
        Self {
            bytes: fs::read(output).unwrap(),
            folder,
        }
    }

    fn load(&self, kernel: &Kernel) -> Result<CpuProgram, String> {
        let mut manifest = manifest(kernel.clone());
        manifest.image = Some(Image {
            file: "k.o".into(),
            format: ImageFormat::Object,
        });
        CpuDevice::new(settings(1))
            .load(&manifest, kernel, &self.bytes)
            .map_err(|error| {
                assert_eq!(error.exit_code(), 1);
                error.to_string()
            })
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An entry that is not called: the kernels' own are in the objects.
unsafe extern "C" fn unused(_: *const xpu_runtime_cpu::Group, _: *const u64) {}

fn launch(program: &CpuProgram, stand: &Stand, groups: u64) -> Result<Vec<i32>, String> {
    let device = CpuDevice::new(settings(2));
    let out = device.allocate(64, Memory::Unspecified).unwrap();
    let slots = [Slot::Buffer(&out), Slot::Extent(16)];
    let launch = Launch {
        groups: [groups, 1, 1],
        group_size: stand.group_size,
        slots: &slots,
    };
    device
        .launch(program, &launch)
        .map_err(|error| error.to_string())?;
    Ok(read(&out, 16))
}

#[test]
fn calls_constants_and_variables() {
    let object = Object::compile(
        "all",
        "
        extern float fmodf(float, float);
        static const int32_t table[4] = {10, 20, 30, 40};
        const int32_t exported[4] = {1, 2, 3, 4};
        int32_t variable = 5;
        int32_t *pointer = &variable;
        static int32_t zeros[1000];
        static __attribute__((noinline)) int32_t twice(int32_t x) { return 2 * x; }
        void k(const struct group *g, const uint64_t *args) {
            uint64_t at = g->id[0];
            OUT[at] = twice(table[at]) + exported[at] + (int)fmodf(7.5f, 4.0f) + *pointer;
            zeros[at] += 1;
            OUT[at + 4] = zeros[at] + zeros[999];
            memset(&OUT[8], 1, args[1]);
        }",
        &["-fPIC", "-fno-builtin"],
    );
    let stand = Stand::groups(unused);
    let program = object.load(&stand.kernel(1)).unwrap();
    drop(object);
    let out = launch(&program, &stand, 4).unwrap();
    assert_eq!(out[..8], [29, 50, 71, 92, 1, 1, 1, 1]);
    assert_eq!(
        out[8..],
        [
            0x0101_0101,
            0x0101_0101,
            0x0101_0101,
            0x0101_0101,
            0,
            0,
            0,
            0
        ]
    );
    // Variables live as long as the program.
    assert_eq!(launch(&program, &stand, 4).unwrap()[4..8], [2, 2, 2, 2]);
}

#[test]
fn callbacks() {
    let object = Object::compile(
        "callbacks",
        "
        void k(const struct group *g, const uint64_t *args) {
            int32_t *memory = (int32_t *)g->shared;
            if (g->id[0] == 16)
                xpu_cpu_out_of_bounds(g, \"k.c:9:5\", \"memref.store\", 0, 16, args[1]);
            memory[g->local[0]] = g->local[0];
            xpu_cpu_barrier(g, \"k.c:4:1\");
            if (g->local[0] == 0)
                for (int i = 0; i < 8; i++)
                    OUT[g->id[0]] += memory[i];
        }",
        &["-fPIC", "-ffunction-sections"],
    );
    let stand = Stand {
        shared_bytes: 32,
        checks_bounds: true,
        ..Stand::items(unused, 8)
    };
    let program = object.load(&stand.kernel(1)).unwrap();
    assert_eq!(launch(&program, &stand, 2).unwrap()[..3], [28, 28, 0]);
    let expect = "kernel \"k\": out of bounds: index 16 in dimension 0 of size 16, at k.c:9:5, in \
                  memref.store, work-item (0, 0, 0) of group (16, 0, 0)";
    assert_eq!(launch(&program, &stand, 17).unwrap_err(), expect);
}

#[test]
fn refusals() {
    let kernel = Stand::groups(unused).kernel(1);
    let refuse = |name: &str, source: &str, flags: &[&str], expect: &str| {
        let error = Object::compile(name, source, flags)
            .load(&kernel)
            .unwrap_err();
        assert_eq!(error, format!("the object file {expect}"));
    };
    let empty = "void k(const struct group *g, const uint64_t *args) {}";
    refuse(
        "none",
        "void j(void) {}",
        &["-fPIC"],
        "does not define the function \"k\"",
    );
    refuse(
        "data",
        "int k = 7;",
        &["-fPIC"],
        "does not define the function \"k\"",
    );
    refuse(
        "foreign",
        "void nobody_has_this(void); void k(void *g, void *a) { nobody_has_this(); }",
        &["-fPIC"],
        "needs \"nobody_has_this\", which this program does not have",
    );
    let table = "static int t[9]; void k(struct group *g, uint64_t *args) { t[g->id[0]]++; }";
    refuse(
        "fixed",
        table,
        &["-fno-pic"],
        "is not position independent: compile it with PIC",
    );
    refuse(
        "large",
        table,
        &["-fPIC", "-mcmodel=large"],
        "has a relocation of type 29: compile it for the small code model",
    );
    refuse(
        "constructor",
        &format!("__attribute__((constructor)) void c(void) {{}} {empty}"),
        &["-fPIC"],
        "has constructors or destructors in section \".init_array\"",
    );
    refuse(
        "thread",
        &format!("__thread int t = 7; {empty}"),
        &["-fPIC"],
        "has thread-local variables in section \".tdata\"",
    );
    refuse(
        "common",
        &format!("int c; {empty}"),
        &["-fPIC", "-fcommon"],
        "has the common symbol \"c\"",
    );
}

#[test]
fn damaged_objects() {
    let stand = Stand {
        mode: EntryMode::Group,
        ..Stand::groups(unused)
    };
    let source = "
        extern float expf(float);
        void k(const struct group *g, const uint64_t *args) { OUT[0] = expf(args[1]); }";
    let mut object = Object::compile("damaged", source, &["-fPIC"]);
    let bytes = object.bytes.clone();
    let kernel = stand.kernel(1);
    let mut refused = 0;
    // No damage to the headers and tables may do more than fail; the code is not run.
    for at in 0..bytes.len() {
        for value in [0, 0xff, bytes[at] ^ 1] {
            object.bytes = bytes.clone();
            object.bytes[at] = value;
            refused += usize::from(object.load(&kernel).is_err());
        }
    }
    assert!(refused > 100, "{refused}");
    for length in 0..bytes.len() {
        object.bytes = bytes[..length].to_vec();
        let _ = object.load(&kernel);
    }
    object.bytes = b"\x7fELF".to_vec();
    assert!(
        object
            .load(&kernel)
            .unwrap_err()
            .starts_with("the object file is damaged: ")
    );
    object.bytes = Vec::new();
    assert!(object.load(&kernel).is_err());
}
