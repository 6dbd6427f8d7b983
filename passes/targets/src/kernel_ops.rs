//! Operations of other dialects that upstream's conversions do not take in a kernel: what becomes of
//! them, or what to write instead.
//!
//! Upstream says of these only that they are illegal. What is in no row is upstream's to lower.

use crate::target::Target;

/// A row: operations, and the targets that lack them.
struct KernelOpRow {
    /// Full names; with `.` or `_` at the end, all that begin so.
    ops: &'static [&'static str],
    /// Names of targets.
    lacked_by: &'static [&'static str],
    /// What becomes of them.
    how: KernelOpHow,
}

/// What becomes of an operation that upstream's conversion lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelOpHow {
    /// It is computed from the ids of work-items and the size of subgroups.
    FromIds(SubgroupNumber),
    /// An operation without operands gives it, as an i32.
    Register(&'static str),
    /// It is refused, with what would work.
    Refused(&'static str),
}

/// A number that ids of work-items give. Subgroups are made of work-items that follow each other in
/// a group, x first (CUDA C++ Programming Guide, SIMT architecture; LLVM AMDGPUUsage, work-item ids).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgroupNumber {
    /// Which of its group a subgroup is.
    Id,
    /// How many a group has.
    Count,
}

const ALL: &[&str] = &["amdgpu", "cpu", "nvptx", "vulkan"];
const LLVM_GPUS: &[&str] = &["amdgpu", "nvptx"];
const GPUS: &[&str] = &["amdgpu", "nvptx", "vulkan"];
const BUT_NVIDIA: &[&str] = &["amdgpu", "cpu", "vulkan"];

/// What targets are without, as a diagnostic says it.
const LACKS: &[(&str, &str)] = &[
    ("amdgpu", "has no lowering for AMD chips"),
    ("cpu", "has no form on the CPU"),
    ("nvptx", "has no lowering for NVIDIA chips"),
    ("vulkan", "has no lowering for Vulkan"),
];

const COMBINE: &str =
    "combine values by 'xpu.atomic_rmw' on an 'xpu.shared', between two 'xpu.barrier's";
const EXCHANGE: &str = "exchange values through an 'xpu.shared', with an 'xpu.barrier' between";
const NO_SUBGROUPS: &str = "a CPU has no subgroups; use the ids of work-items, as 'gpu.thread_id'";
const LANE: &str = "write it as 'gpu.shuffle idx'";
const PRINT: &str = "store what to look at in a buffer";
const HOST: &str = "it is the host's, which launches kernels: move it out of the kernel";
const BUFFERIZE: &str = "run 'one-shot-bufferize' first, on the whole program";
const ALLOCATE: &str =
    "a kernel there cannot allocate memory; use 'memref.alloca', 'xpu.shared' or an argument";
const STOP: &str = "a kernel there cannot stop the program; store what went wrong in a buffer";

use KernelOpHow::{FromIds, Refused, Register};

#[rustfmt::skip] // one row a line
const KERNEL_OPS: &[KernelOpRow] = &[
    row(&["gpu.subgroup_id"],               LLVM_GPUS,  FromIds(SubgroupNumber::Id)),
    row(&["gpu.num_subgroups"],             LLVM_GPUS,  FromIds(SubgroupNumber::Count)),
    // PTX ISA, special registers: WARP_SZ.
    row(&["gpu.subgroup_size"],             &["nvptx"], Register("nvvm.read.ptx.sreg.warpsize")),
    row(&["gpu.subgroup_id", "gpu.num_subgroups", "gpu.subgroup_size", "gpu.lane_id"],
                                            &["cpu"],   Refused(NO_SUBGROUPS)),
    row(&["gpu.all_reduce"],                ALL,        Refused(COMBINE)),
    row(&["gpu.subgroup_reduce"],           &["cpu", "vulkan"], Refused(COMBINE)),
    row(&["gpu.subgroup_reduce"],           LLVM_GPUS,  Refused("combine values by steps of 'gpu.shuffle xor', or by 'xpu.atomic_rmw'")),
    row(&["gpu.rotate", "gpu.subgroup_broadcast"], &["nvptx"], Refused(LANE)),
    row(&["gpu.rotate"],                    &["amdgpu"], Refused(LANE)),
    row(&["gpu.shuffle", "gpu.rotate", "gpu.subgroup_broadcast"],
                                            &["cpu", "vulkan"], Refused(EXCHANGE)),
    row(&["gpu.warp_execute_on_lane_0"],    GPUS,       Refused("write 'scf.if' on a 'gpu.lane_id' of 0")),
    row(&["gpu.warp_execute_on_lane_0"],    &["cpu"],   Refused(NO_SUBGROUPS)),
    row(&["gpu.cluster_"],                  BUT_NVIDIA, Refused("clusters are NVIDIA's, from sm_90 on; use the ids of workgroups")),
    row(&["gpu.subgroup_mma_"],             BUT_NVIDIA, Refused("these matrix operations are NVIDIA's; write loops")),
    row(&["gpu.printf"],                    BUT_NVIDIA, Refused(PRINT)),
    row(&["vector.print"],                  GPUS,       Refused(PRINT)),
    row(&["gpu.dynamic_shared_memory"],     ALL,        Refused("sizes of workgroup memory are compiled in; use 'xpu.shared', or a workgroup attribution of the 'gpu.func'")),
    row(&["gpu.alloc", "gpu.dealloc", "gpu.host_register", "gpu.host_unregister", "gpu.launch", "gpu.launch_func", "gpu.memcpy", "gpu.memset", "gpu.set_default_device", "gpu.wait"],
                                            ALL,        Refused(HOST)),
    row(&["linalg."],                       ALL,        Refused("run 'convert-linalg-to-loops' first")),
    row(&["tensor.", "bufferization.alloc_tensor", "bufferization.dealloc_tensor", "bufferization.materialize_in_destination", "bufferization.to_buffer", "bufferization.to_tensor"],
                                            ALL,        Refused(BUFFERIZE)),
    row(&["bufferization.clone"],           ALL,        Refused("run 'convert-bufferization-to-memref' first")),
    row(&["bufferization.dealloc"],         ALL,        Refused("run 'bufferization-lower-deallocations' first")),
    // 'lower-affine' makes memref's of affine's, and nothing takes those.
    row(&["affine.dma_", "memref.dma_"],    ALL,        Refused("write the transfer as a loop, or as 'memref.copy'")),
    row(&["memref.realloc"],                &["cpu", "nvptx"], Refused("run 'expand-realloc' first")),
    row(&["memref.realloc"],                &["amdgpu", "vulkan"], Refused(ALLOCATE)),
    row(&["memref.alloc", "memref.dealloc"], &["amdgpu"], Refused(ALLOCATE)),
    row(&["cf.assert"],                     &["amdgpu", "vulkan"], Refused(STOP)),
    // The other conversions have it, as a call or as instructions.
    row(&["complex.abs"],                   &["nvptx"], Refused("run 'convert-complex-to-standard' first")),
    row(&["complex."],                      &["vulkan"], Refused("run 'convert-complex-to-standard' and 'canonicalize' first")),
];

const fn row(
    ops: &'static [&'static str],
    lacked_by: &'static [&'static str],
    how: KernelOpHow,
) -> KernelOpRow {
    KernelOpRow {
        ops,
        lacked_by,
        how,
    }
}

impl KernelOpRow {
    fn has(&self, op: &str) -> bool {
        self.ops.iter().any(|name| is_named(op, name))
    }
}

/// Whether a row's name stands for an operation.
fn is_named(op: &str, name: &str) -> bool {
    op == name || name.ends_with(['.', '_']) && op.starts_with(name)
}

impl Target {
    /// What becomes of an operation of another dialect that upstream's conversion does not take;
    /// nothing where it does.
    ///
    /// ```
    /// use xpu_targets::{KernelOpHow, Target};
    /// let target = Target::parse("nvptx:sm_90")?;
    /// assert!(matches!(target.kernel_op("linalg.fill"), Some(KernelOpHow::Refused(_))));
    /// assert_eq!(target.kernel_op("gpu.thread_id"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kernel_op(&self, op: &str) -> Option<KernelOpHow> {
        let name = self.name();
        KERNEL_OPS
            .iter()
            .find(|row| row.lacked_by.contains(&name) && row.has(op))
            .map(|row| row.how)
    }

    /// What a diagnostic says of an operation that the target lacks.
    pub fn lacks(&self) -> &'static str {
        LACKS
            .iter()
            .find(|(name, _)| *name == self.name())
            .map_or("has no lowering", |(_, text)| text)
    }
}

#[cfg(test)]
mod tests {
    use super::{KERNEL_OPS, LACKS, is_named};
    use crate::target::TARGETS;

    #[test]
    fn no_operation_has_two_rows_on_one_target() {
        for (at, row) in KERNEL_OPS.iter().enumerate() {
            for other in &KERNEL_OPS[at + 1..] {
                let is_shared = row
                    .lacked_by
                    .iter()
                    .any(|one| other.lacked_by.contains(one));
                for (a, b) in row
                    .ops
                    .iter()
                    .flat_map(|a| other.ops.iter().map(move |b| (a, b)))
                {
                    let is_same = is_named(a, b) || is_named(b, a);
                    assert!(!(is_shared && is_same), "{a} and {b}");
                }
            }
        }
    }

    #[test]
    fn rows_name_targets() {
        let targets: Vec<&str> = TARGETS.iter().map(|tables| tables.name).collect();
        for row in KERNEL_OPS {
            assert!(!row.lacked_by.is_empty() && !row.ops.is_empty());
            for name in row.lacked_by {
                assert!(targets.contains(name), "{name}");
            }
        }
        for name in targets {
            assert!(LACKS.iter().any(|(known, _)| *known == name), "{name}");
        }
    }
}
