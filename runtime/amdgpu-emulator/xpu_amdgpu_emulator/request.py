"""Runs a launch that a request file describes: how launchers in other languages use the emulator.

A request is a JSON object:

    {"version": 1,
     "code": "k.hsaco",                 the code object; paths are relative to the request's folder
     "symbol": "histogram",             the kernel
     "grid": [4, 1, 1],                 workgroups in x, y and z
     "block": [256, 1, 1],              work-items of a workgroup
     "buffers": [{"in": "a.bin", "out": "a.out", "size": 4096}, ...],
     "arguments": [{"buffer": 0}, {"u64": 1024}, {"u32": 7}, {"u16": 7}, {"u8": 7}, {"bytes": "00ff"}, ...],
     "seed": 0, "memory": "strong", "schedule": "random", "limit": 200000000}

A buffer has `size` bytes, filled from the file `in` (zeros after its end, and where there is none), and is written to the file `out`, if
there is one, when the kernel has ended. An argument lies at the next multiple of its own size, as LLVM lays out the arguments of a kernel;
`bytes`, in hexadecimal, follows at once. `buffer` is the address of a buffer, or 0 for null. Everything from `seed` on may be left out.

The exit status is 0 if the kernel ended; 1 if the request, the code object or what the kernel does is wrong; 3 if the emulator cannot run
it. Standard error then has one line that says why. On standard output is a JSON object with `instructions`, how many the waves executed,
and `seconds`.
"""

import json
import pathlib

from .machine import MEMORY_MODES, SCHEDULES, Gpu
from .numeric import EmuError

VERSION = 1
WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
KNOWN = {
    "version",
    "code",
    "symbol",
    "grid",
    "block",
    "buffers",
    "arguments",
    "seed",
    "memory",
    "schedule",
    "limit",
}
MOST_ITEMS = 1024


class RequestError(Exception):
    """A request that cannot be carried out as it is."""


def whole(value, what, low=0, high=(1 << 64) - 1):
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RequestError(f"{what} is {json.dumps(value)}: it has to be a number from {low} to {high}")
    return value


def extents(value, what):
    if not isinstance(value, list) or not 1 <= len(value) <= 3:
        raise RequestError(f"{what} has to be a list of up to three numbers")
    return tuple([whole(x, what, 1, (1 << 32) - 1) for x in value] + [1] * (3 - len(value)))


class Request:
    """A request that has been read and checked."""

    def __init__(self, path):
        self.folder = pathlib.Path(path).resolve().parent
        try:
            data = json.loads(self.read(path))
        except ValueError as e:
            raise RequestError(f"{path} is not JSON: {e}") from None
        if not isinstance(data, dict):
            raise RequestError(f"{path} has to hold an object")
        if data.get("version") != VERSION:
            raise RequestError(
                f"the request has version {json.dumps(data.get('version'))}, and this emulator takes {VERSION}"
            )
        unknown = sorted(set(data) - KNOWN)
        if unknown:
            raise RequestError(f"the request has unknown fields: {', '.join(unknown)}")
        missing = sorted({"code", "symbol", "grid", "block"} - set(data))
        if missing:
            raise RequestError(f"the request lacks {', '.join(missing)}")
        self.code, self.symbol = self.read(self.folder / str(data["code"])), str(data["symbol"])
        self.grid, self.block = extents(data["grid"], "grid"), extents(data["block"], "block")
        if self.block[0] * self.block[1] * self.block[2] > MOST_ITEMS:
            raise RequestError(f"block has more than {MOST_ITEMS} work-items")
        self.buffers = [self.buffer(i, b) for i, b in enumerate(self.items(data, "buffers"))]
        self.arguments = self.items(data, "arguments")
        self.seed = whole(data.get("seed", 0), "seed")
        self.limit = whole(data.get("limit", 200_000_000), "limit", 1)
        self.memory = self.choice(data, "memory", MEMORY_MODES)
        self.schedule = self.choice(data, "schedule", SCHEDULES)

    def items(self, data, name):
        value = data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(x, dict) for x in value):
            raise RequestError(f"{name} has to be a list of objects")
        return value

    def choice(self, data, name, allowed):
        value = data.get(name, allowed[0])
        if value not in allowed:
            raise RequestError(f"{name} is {json.dumps(value)}: it has to be {' or '.join(allowed)}")
        return value

    def read(self, path):
        try:
            return pathlib.Path(path).read_bytes()
        except OSError as e:
            raise RequestError(f"cannot read {path}: {e.strerror}") from None

    def buffer(self, index, b):
        unknown = sorted(set(b) - {"in", "out", "size"})
        if unknown:
            raise RequestError(f"buffer {index} has unknown fields: {', '.join(unknown)}")
        data = self.read(self.folder / b["in"]) if "in" in b else b""
        size = whole(b.get("size", len(data)), f"the size of buffer {index}")
        if len(data) > size:
            raise RequestError(f"buffer {index} has {size} bytes, and its file {len(data)}")
        try:
            return data.ljust(size, b"\0"), b.get("out")
        except (MemoryError, OverflowError):
            raise RequestError(f"there is no memory for buffer {index} of {size} bytes") from None

    def kernarg(self, addresses):
        """The argument memory, each argument at its natural alignment."""
        out = b""
        for i, argument in enumerate(self.arguments):
            if len(argument) != 1:
                raise RequestError(f"argument {i} has to have one field")
            ((kind, value),) = argument.items()
            if kind == "bytes":
                try:
                    out += bytes.fromhex(value)
                except (ValueError, TypeError):
                    raise RequestError(f"argument {i} is not hexadecimal") from None
                continue
            if kind == "buffer":
                width, value = (
                    8,
                    0
                    if value is None
                    else addresses[whole(value, f"the buffer of argument {i}", 0, len(addresses) - 1)],
                )
            elif kind in WIDTHS:
                width = WIDTHS[kind]
                whole(value, f"argument {i}", 0, (1 << 8 * width) - 1)
            else:
                raise RequestError(
                    f'argument {i} is of kind "{kind}": it is buffer, bytes, {", ".join(WIDTHS)}'
                )
            out = out.ljust(-(-len(out) // width) * width, b"\0") + value.to_bytes(width, "little")
        return out

    def run(self):
        """Launches; the result is the number of wave instructions."""
        gpu = Gpu(self.code)
        addresses = [gpu.alloc(data, f"buffer {i}") for i, (data, _) in enumerate(self.buffers)]
        steps = gpu.launch(
            self.symbol,
            self.grid,
            self.block,
            self.kernarg(addresses),
            seed=self.seed,
            sched=self.schedule,
            limit=self.limit,
            memory=self.memory,
        )
        for (data, out), address in zip(self.buffers, addresses):
            if out is None:
                continue
            try:
                (self.folder / out).write_bytes(gpu.read(address, len(data)) if data else b"")
            except OSError as e:
                raise EmuError(f"cannot write {out}: {e.strerror}") from None
        return steps
