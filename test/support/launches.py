"""Launches kernels of one code object, many in one process.

    python launches.py FOLDER < JOB

FOLDER is the emulator's. JOB is a JSON object: `code`, hexadecimal; `launches`, each with the fields `symbol`, `grid`, `block`,
`buffers` (what each holds, hexadecimal), `arguments` (a buffer's number or a 64-bit number), `seed`, `memory` and `read` (the numbers
of buffers). A line is printed for each launch: what the buffers to read hold afterwards, or `error:` and what is wrong.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])
from xpu_amdgpu_emulator import EmuError, Gpu

RESIDENT = 8  # groups at a time
LIMIT = 5_000_000  # wave instructions of a launch


def main():
    job = json.load(sys.stdin)
    gpu = Gpu(bytes.fromhex(job["code"]))
    keep = len(gpu.memory.regions)
    for one in job["launches"]:
        contents = [bytes.fromhex(text) for text in one["buffers"]]
        buffers = [gpu.alloc(data) for data in contents]
        words = [buffers[a["buffer"]] if "buffer" in a else a["u64"] for a in one["arguments"]]
        try:
            gpu.launch(
                one["symbol"],
                one["grid"],
                one["block"],
                struct.pack(f"<{len(words)}Q", *words),
                seed=one["seed"],
                memory=one["memory"],
                resident=RESIDENT,
                limit=LIMIT,
            )
            print(*(gpu.read(buffers[at], len(contents[at])).hex() for at in one["read"]))
        except EmuError as e:
            print("error:", str(e).replace("\n", " "))
        gpu.memory.truncate(keep)


main()
