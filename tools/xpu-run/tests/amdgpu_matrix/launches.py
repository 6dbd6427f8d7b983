"""Launches kernels of one code object, many in one process.

    python launches.py FOLDER < JOB

FOLDER is the emulator's. JOB is a JSON object: `code`, hexadecimal; `launches`, each with the fields `symbol`, `grid`, `block`,
`buffers` (what each holds, hexadecimal), `arguments` (a buffer's number or a 64-bit number), `seed` and `memory`. A line is printed
for each launch: what the buffers hold afterwards, or `error:` and what is wrong.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])
from xpu_amdgpu_emulator import EmuError, Gpu

LIMIT = 5_000_000  # wave instructions of a launch


def main():
    job = json.load(sys.stdin)
    gpu = Gpu(bytes.fromhex(job["code"]))
    keep = len(gpu.memory.regions)
    for one in job["launches"]:
        contents = [bytes.fromhex(text) for text in one["buffers"]]
        buffers = [gpu.alloc(data) for data in contents]
        words = [buffers[a["buffer"]] if "buffer" in a else a["u64"] for a in one["arguments"]]
        packed = struct.pack(f"<{len(words)}Q", *words)
        try:
            gpu.launch(
                one["symbol"],
                one["grid"],
                one["block"],
                packed,
                seed=one["seed"],
                memory=one["memory"],
                limit=LIMIT,
            )
            print(*(gpu.read(at, len(data)).hex() for at, data in zip(buffers, contents)))
        except EmuError as e:
            print("error:", str(e).replace("\n", " "))
        gpu.memory.truncate(keep)


main()
