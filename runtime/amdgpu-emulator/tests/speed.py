"""Wave instructions a second of a histogram in the strong mode: `python runtime/amdgpu-emulator/tests/speed.py [CHIP]`."""

import random
import struct
import sys
import time

from toolchain import build
from xpu_amdgpu_emulator import Gpu

ITEMS, GROUP, BINS = 4096, 256, 16
KERNEL = """
define amdgpu_kernel void @histogram(ptr addrspace(1) %data, ptr addrspace(1) %bins, i32 %n, i32 %size) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %group, %size
  %i = add i32 %base, %item
  %in = icmp ult i32 %i, %n
  br i1 %in, label %count, label %end
count:
  %wide = zext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %data, i64 %wide
  %v = load i32, ptr addrspace(1) %p
  %b = and i32 %v, 15
  %bin = zext i32 %b to i64
  %q = getelementptr i32, ptr addrspace(1) %bins, i64 %bin
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 syncscope("agent") monotonic
  br label %end
end:
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
"""


def rates(chip, memory, rounds):
    """Wave instructions a second, of the process and of the clock: each the best of some launches after one that compiles."""
    gpu = Gpu(build(KERNEL, chip))
    rng = random.Random(1)
    data = [rng.randrange(1000) for _ in range(ITEMS)]
    a, bins = gpu.alloc(struct.pack(f"<{ITEMS}I", *data)), gpu.alloc(bytes(4 * BINS))
    arguments = struct.pack("<QQII", a, bins, ITEMS, GROUP)
    gpu.launch("histogram", ITEMS // GROUP, GROUP, arguments, memory=memory)
    processor = clock = 0
    for seed in range(rounds):
        begun, begun_clock = time.process_time(), time.perf_counter()
        steps = gpu.launch("histogram", ITEMS // GROUP, GROUP, arguments, seed=seed, memory=memory)
        processor = max(processor, steps / (time.process_time() - begun))
        clock = max(clock, steps / (time.perf_counter() - begun_clock))
    return processor, clock


def main():
    chip = sys.argv[1] if len(sys.argv) > 1 else "gfx1100"
    for memory, rounds in (("strong", 20), ("weak", 4)):
        processor, clock = rates(chip, memory, rounds)
        print(
            f"{chip}, {memory} mode: {processor:,.0f} wave instructions a second of processor time, {clock:,.0f} a second "
            f"(best of {rounds} histograms of {ITEMS} work-items)"
        )


if __name__ == "__main__":
    main()
