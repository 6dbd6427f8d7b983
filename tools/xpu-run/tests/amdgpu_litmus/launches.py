"""Launches kernels of one code object, many in one process.

    python launches.py FOLDER < JOB

FOLDER is the emulator's. JOB is a JSON object: `code`, hexadecimal; `launches`, each with the fields `symbol`, `grid`, `block`,
`buffers` (bytes of each, zeros before the launch), `arguments` (a buffer's number or a 64-bit number), `seed` and `read` (the number
of a buffer). A line is printed for each launch, that buffer in hexadecimal.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])
from xpu_amdgpu_emulator import Gpu

RESIDENT = 8  # groups at a time
LIMIT = 5_000_000  # wave instructions of a launch


def main():
    job = json.load(sys.stdin)
    gpu = Gpu(bytes.fromhex(job["code"]))
    keep = len(gpu.memory.regions)
    for one in job["launches"]:
        buffers = [gpu.alloc(bytes(size)) for size in one["buffers"]]
        words = [buffers[a["buffer"]] if "buffer" in a else a["u64"] for a in one["arguments"]]
        gpu.launch(
            one["symbol"],
            one["grid"],
            one["block"],
            struct.pack(f"<{len(words)}Q", *words),
            seed=one["seed"],
            memory="weak",
            resident=RESIDENT,
            limit=LIMIT,
        )
        print(gpu.read(buffers[one["read"]], one["buffers"][one["read"]]).hex())
        gpu.memory.truncate(keep)


main()
