//! What must be reached, as ratios of times measured in turn in one run; each is the ratio of the
//! two medians. Prints the table of docs/benchmarks.md.

use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use xpu_bench::{Histogram, by_hand, values};

/// Times of each side of a pair.
const ROUNDS: usize = 11;

fn main() -> Result<()> {
    println!("| what | against | limit | ratio | times |\n| --- | --- | --- | --- | --- |");
    for threads in [1, 2] {
        histogram(threads)?;
    }
    tool_start()?;
    compile_time()?;
    ptx_time()?;
    spirv_time()
}

/// Medians of two measurements, taken in turn.
fn pair(
    mut left: impl FnMut() -> Result<()>,
    mut right: impl FnMut() -> Result<()>,
) -> Result<(Duration, Duration)> {
    let (mut lefts, mut rights) = (Vec::new(), Vec::new());
    left()?;
    right()?;
    for _ in 0..ROUNDS {
        for (run, times) in [
            (&mut left as &mut dyn FnMut() -> Result<()>, &mut lefts),
            (&mut right, &mut rights),
        ] {
            let start = Instant::now();
            run()?;
            times.push(start.elapsed());
        }
    }
    lefts.sort();
    rights.sort();
    Ok((lefts[ROUNDS / 2], rights[ROUNDS / 2]))
}

fn row(what: &str, against: &str, limit: &str, (left, right): (Duration, Duration)) {
    let ratio = left.as_secs_f64() / right.as_secs_f64();
    println!("| {what} | {against} | {limit} | {ratio:.2} | {left:.1?} / {right:.1?} |");
}

fn histogram(threads: usize) -> Result<()> {
    let values = values();
    let ours = Histogram::new(threads, &values)?;
    ensure!(
        ours.run()? == by_hand(threads, &values),
        "the two histograms differ"
    );
    let times = pair(
        || {
            std::hint::black_box(ours.run()?);
            Ok(())
        },
        || {
            std::hint::black_box(by_hand(threads, &values));
            Ok(())
        },
    )?;
    row(
        &format!("histogram of 64 MiB, {threads} thread(s)"),
        "Rust by hand, the same atomics",
        "1.2",
        times,
    );
    Ok(())
}

/// The folder of the tools: beside the folder that this program is in.
fn tools() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let profile = own
        .parent()
        .and_then(Path::parent)
        .context("no folder above this program")?;
    Ok(profile.to_path_buf())
}

fn llvm_tool(name: &str) -> PathBuf {
    Path::new(xpu_dialect::tools::LLVM_PREFIX)
        .join("bin")
        .join(name)
}

fn run(command: &mut Command) -> Result<()> {
    let status = command
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(())
}

/// The histogram as upstream can write it.
const UPSTREAM: &str = "
func.func @histogram(%bins: memref<?xi32>, %data: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    %d = memref.load %data[%i] : memref<?xi32>
    %b = arith.index_castui %d : i32 to index
    %old = memref.atomic_rmw addi %one, %bins[%b] : (i32, memref<?xi32>) -> i32
  }
  return
}
";

fn tool_start() -> Result<()> {
    let folder = tools()?.join("bench");
    std::fs::create_dir_all(&folder)?;
    let upstream = folder.join("upstream.mlir");
    std::fs::write(&upstream, UPSTREAM)?;
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/histogram.mlir");
    let times = pair(
        || {
            run(Command::new(tools()?.join("xpu-opt"))
                .arg("--xpu-to-cpu")
                .arg(&ours))
        },
        || {
            let pipeline = "builtin.module(lower-affine,expand-strided-metadata,convert-scf-to-cf,\
                            convert-to-llvm,reconcile-unrealized-casts)";
            run(Command::new(llvm_tool("mlir-opt"))
                .arg(format!("--pass-pipeline={pipeline}"))
                .arg(&upstream))
        },
    )?;
    row(
        "xpu-opt --xpu-to-cpu, histogram",
        "stock mlir-opt, upstream's lowering",
        "1.2",
        times,
    );
    Ok(())
}

/// A module of many kernels.
fn many(kernels: usize) -> String {
    let mut text = String::new();
    for number in 0..kernels {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "xpu.kernel @k{number}(%m: memref<?xi32>, %n: i32) workgroup_size(64, 1, 1) {{
  %i = xpu.global_id x
  %i32 = arith.index_cast %i : index to i32
  %in = arith.cmpi ult, %i32, %n : i32
  scf.if %in {{
    %one = arith.constant 1 : i32
    %old = xpu.atomic_rmw add %one, %m[%i] : memref<?xi32>
    %f = xpu.cas %old, %one, %m[%i] : memref<?xi32>
  }}
  xpu.return
}}"
        );
    }
    text
}

fn compile_time() -> Result<()> {
    let folder = tools()?.join("bench");
    let file = |kernels: usize| -> Result<PathBuf> {
        let path = folder.join(format!("{kernels}.mlir"));
        std::fs::write(&path, many(kernels))?;
        Ok(path)
    };
    let (two, one) = (file(2000)?, file(1000)?);
    let lower = |path: &Path| {
        run(Command::new(tools()?.join("xpu-opt"))
            .arg("--xpu-to-cpu")
            .arg(path))
    };
    let times = pair(|| lower(&two), || lower(&one))?;
    row(
        "xpu-opt --xpu-to-cpu, 2,000 kernels",
        "1,000 kernels",
        "2.3",
        times,
    );
    Ok(())
}

/// The histogram as upstream can write it for a GPU.
const UPSTREAM_GPU: &str = "
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @histogram(%bins: memref<?xi32>, %data: memref<?xi32>, %n: i32) kernel {
      %one = arith.constant 1 : i32
      %i = gpu.global_id x
      %i32 = arith.index_cast %i : index to i32
      %in = arith.cmpi ult, %i32, %n : i32
      scf.if %in {
        %d = memref.load %data[%i] : memref<?xi32>
        %b = arith.index_castui %d : i32 to index
        %old = memref.atomic_rmw addi %one, %bins[%b] : (i32, memref<?xi32>) -> i32
      }
      gpu.return
    }
  }
}
";

/// The histogram in CUDA C++.
const CUDA: &str = "
extern \"C\" __global__ void histogram(unsigned *bins, const unsigned *data, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i]], 1u);
}
";

/// From the kernel to PTX, whole processes.
fn ptx_time() -> Result<()> {
    let folder = tools()?.join("bench");
    let compile = || {
        run(Command::new(tools()?.join("xpu-compile"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/histogram.mlir"))
            .args(["--target", "nvptx:sm_90", "--emit", "asm", "-o"])
            .arg(folder.join("ours.ptx")))
    };
    let upstream = folder.join("upstream-gpu.mlir");
    std::fs::write(&upstream, UPSTREAM_GPU)?;
    let times = pair(compile, || {
        let pipeline = "builtin.module(nvvm-attach-target{chip=sm_90 O=3},\
                        gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,\
                        reconcile-unrealized-casts),gpu-module-to-binary{format=isa})";
        run(Command::new(llvm_tool("mlir-opt"))
            .arg(format!("--pass-pipeline={pipeline}"))
            .arg(&upstream))
    })?;
    let what = "xpu-compile, histogram to PTX";
    row(
        what,
        "stock mlir-opt, upstream's passes to PTX",
        "1.5",
        times,
    );

    let Some(nvcc) = std::env::var_os("XPU_NVCC") else {
        println!("| {what} | nvcc -O3 -ptx | 0.2 | skipped: XPU_NVCC does not name nvcc | |");
        return Ok(());
    };
    let cuda = folder.join("histogram.cu");
    std::fs::write(&cuda, CUDA)?;
    let times = pair(compile, || {
        run(Command::new(&nvcc)
            .args(["-O3", "-arch=sm_90", "-ptx", "-o"])
            .args([folder.join("theirs.ptx"), cuda.clone()]))
    })?;
    row(what, "nvcc -O3 -ptx", "0.2", times);
    Ok(())
}

/// The histogram as upstream can write it for Vulkan.
const UPSTREAM_VULKAN: &str = "
module attributes {gpu.container_module, spirv.target_env = #spirv.target_env<
    #spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]>, #spirv.resource_limits<>>} {
  gpu.module @kernels {
    gpu.func @histogram(%bins: memref<?xi32, #spirv.storage_class<StorageBuffer>>,
                        %data: memref<?xi32, #spirv.storage_class<StorageBuffer>>, %n: i32)
        kernel attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [256, 1, 1]>} {
      %one = arith.constant 1 : i32
      %i = gpu.global_id x
      %i32 = arith.index_cast %i : index to i32
      %in = arith.cmpi ult, %i32, %n : i32
      scf.if %in {
        %d = memref.load %data[%i] : memref<?xi32, #spirv.storage_class<StorageBuffer>>
        %b = arith.index_castui %d : i32 to index
        %old = memref.atomic_rmw addi %one, %bins[%b]
            : (i32, memref<?xi32, #spirv.storage_class<StorageBuffer>>) -> i32
      }
      gpu.return
    }
  }
}
";

/// From the kernel to SPIR-V, whole processes.
fn spirv_time() -> Result<()> {
    let folder = tools()?.join("bench");
    let (upstream, lowered) = (
        folder.join("vulkan.mlir"),
        folder.join("vulkan-lowered.mlir"),
    );
    std::fs::write(&upstream, UPSTREAM_VULKAN)?;
    let lower = || {
        let pipeline = "builtin.module(convert-gpu-to-spirv,spirv.module(spirv-lower-abi-attrs,\
                        spirv-update-vce),reconcile-unrealized-casts)";
        run(Command::new(llvm_tool("mlir-opt"))
            .arg(format!("--pass-pipeline={pipeline}"))
            .arg(&upstream)
            .arg("-o")
            .arg(&lowered))
    };
    lower()?;
    // mlir-translate does not know the dialect of the kernels that are still beside the result.
    let text = std::fs::read_to_string(&lowered)?;
    let module: String = text
        .split_inclusive('\n')
        .skip_while(|line| !line.starts_with("  spirv.module"))
        .take_while(|line| !line.starts_with("  gpu.module"))
        .collect();
    ensure!(!module.is_empty(), "mlir-opt made no spirv.module");
    let alone = folder.join("vulkan-alone.mlir");
    std::fs::write(&alone, module)?;
    let times = pair(
        || {
            run(Command::new(tools()?.join("xpu-compile"))
                .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/histogram.mlir"))
                .args(["--target", "vulkan:1.3", "--emit", "bin", "-o"])
                .arg(folder.join("ours.spv")))
        },
        || {
            lower()?;
            run(Command::new(llvm_tool("mlir-translate"))
                .args(["--no-implicit-module", "--serialize-spirv"])
                .arg(&alone)
                .arg("-o")
                .arg(folder.join("theirs.spv")))
        },
    )?;
    row(
        "xpu-compile, histogram to SPIR-V",
        "stock mlir-opt, then mlir-translate",
        "1.5",
        times,
    );
    Ok(())
}
