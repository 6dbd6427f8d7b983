"""The command line: a request file for launchers, or a kernel and its arguments by hand."""

import argparse
import json
import random
import re
import struct
import sys
import time

from .machine import MEMORY_MODES, SCHEDULES, Gpu
from .numeric import EmuError, Unsupported
from .request import Request, RequestError

SHAPES = {
    "u": {1: "B", 2: "H", 4: "I", 8: "Q"},
    "i": {1: "b", 2: "h", 4: "i", 8: "q"},
    "f": {2: "e", 4: "f", 8: "d"},
}
SHOWN = 64


def parser():
    ap = argparse.ArgumentParser(
        prog="xpu_amdgpu_emulator", description="Run a kernel of an AMDGPU code object without a GPU."
    )
    ap.add_argument(
        "--request",
        metavar="FILE.json",
        help="run what the file describes (see request.py); all else is ignored",
    )
    ap.add_argument("code", nargs="?", help="the code object")
    ap.add_argument("kernel", nargs="?", help="the kernel; without it, the kernels are listed")
    ap.add_argument("--grid", type=int, default=1, help="workgroups")
    ap.add_argument("--block", type=int, default=64, help="work-items of a workgroup")
    ap.add_argument(
        "--arg",
        action="append",
        default=[],
        help="u32=5 (a scalar), or u32[16]=0, u32[256]=iota, f32[64]=rand (a buffer, printed afterwards)",
    )
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--schedule", choices=SCHEDULES, default="random")
    ap.add_argument("--memory", choices=MEMORY_MODES, default="strong")
    ap.add_argument("--trace", action="store_true", help="print every instruction")
    return ap


def arguments(gpu, texts):
    """The argument memory, and the buffers to print afterwards."""
    out, buffers, rng = b"", [], random.Random(1)
    for text in texts:
        m = re.fullmatch(r"([uif])(8|16|32|64)(?:\[(\d+)\])?=(.*)", text)
        shape = m and SHAPES[m[1]].get(int(m[2]) // 8)
        if not shape:
            raise RequestError(f"--arg {text}: it is u32=5 or u32[16]=0")
        size = int(m[2]) // 8
        number = float if m[1] == "f" else lambda s: int(s, 0)
        try:
            if m[3] is None:
                raw = struct.pack("<" + shape, number(m[4]))
            else:
                n = int(m[3])
                values = (
                    range(n)
                    if m[4] == "iota"
                    else [rng.randrange(1000) for _ in range(n)]
                    if m[4] == "rand"
                    else [number(m[4])] * n
                )
                form = f"<{n}{shape}"
                address = gpu.alloc(struct.pack(form, *(number(str(x)) for x in values)), text)
                buffers.append((text, address, form))
                size, raw = 8, struct.pack("<Q", address)
        except (ValueError, struct.error) as e:
            raise RequestError(f"--arg {text}: {e}") from None
        out = out.ljust(-(-len(out) // size) * size, b"\0") + raw
    return out, buffers


def by_hand(o):
    if o.code is None:
        raise RequestError("name a code object, or give --request FILE.json")
    try:
        with open(o.code, "rb") as f:
            gpu = Gpu(f.read())
    except OSError as e:
        raise RequestError(f"cannot read {o.code}: {e.strerror}") from None
    if o.kernel is None:
        print(*gpu.kernels(), sep="\n")
        return
    packed, buffers = arguments(gpu, o.arg)
    begun = time.perf_counter()
    steps = gpu.launch(
        o.kernel, o.grid, o.block, packed, seed=o.seed, sched=o.schedule, trace=o.trace, memory=o.memory
    )
    print(
        f"{o.kernel} on {gpu.cpu}: {steps} wave instructions, {time.perf_counter() - begun:.3f} s",
        file=sys.stderr,
    )
    for text, address, form in buffers:
        print(text, list(struct.unpack(form, gpu.read(address, struct.calcsize(form))))[:SHOWN])


def main(words=None):
    o = parser().parse_args(words)
    try:
        if o.request is None:
            by_hand(o)
        else:
            request = Request(o.request)
            begun = time.perf_counter()
            steps = request.run()
            print(json.dumps({"instructions": steps, "seconds": round(time.perf_counter() - begun, 6)}))
    except Unsupported as e:
        print(f"error: the emulator cannot run this: {e}".replace("\n", " "), file=sys.stderr)
        return 3
    except (EmuError, RequestError) as e:
        print(f"error: {e}".replace("\n", " "), file=sys.stderr)
        return 1
    except MemoryError:
        print("error: out of memory", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
