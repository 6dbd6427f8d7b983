"""Random LLVM IR that means the same on AMDGPU and on the host, and running it on both."""

import ctypes
import os
import random
import struct
import subprocess
import tempfile

from toolchain import build, run, tool
from xpu_amdgpu_emulator import Gpu

LANES = 64
TYPES = ("i32", "i64", "float", "double")
SIZES = {"i32": 4, "i64": 8, "float": 4, "double": 8}
SHAPES = {"i32": "I", "i64": "Q", "float": "f", "double": "d"}
INT_OPS = ("add", "sub", "mul", "and", "or", "xor")
FLOAT_OPS = ("fadd", "fsub", "fmul", "fdiv")
COMPARES = ("eq", "ne", "slt", "ult", "sge", "ugt")
FLOAT_COMPARES = ("oeq", "olt", "ogt", "une", "ule", "uno")


class Body:
    """Straight-line operations, branches and loops over values of the four types."""

    def __init__(self, rng):
        self.rng, self.lines, self.count, self.intrinsics, self.here = rng, [], 0, set(), "entry"
        self.values = {t: [] for t in TYPES}

    def new(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, name):
        self.lines.append(f"{name}:")
        self.here = name

    def pick(self, t):
        if self.rng.random() < 0.15:
            if t == "i32":
                return str(self.rng.choice((0, 1, -1, 7, 255, 65536, -2147483648, self.rng.getrandbits(31))))
            if t == "i64":
                return str(self.rng.choice((1, -1, 1 << 40, self.rng.getrandbits(62))))
            return self.rng.choice(("1.0", "-2.0", "0.5", "0.0", "1024.0"))
        return self.rng.choice(self.values[t])

    def call(self, name, t, *args):
        suffix = {"i32": "i32", "i64": "i64", "float": "f32", "double": "f64"}[t]
        self.intrinsics.add(f"declare {t} @llvm.{name}.{suffix}({', '.join([t] * len(args))})")
        return self.new(f"call {t} @llvm.{name}.{suffix}({', '.join(f'{t} {a}' for a in args)})")

    def operation(self, t):
        rng, p = self.rng, self.pick
        if t in ("i32", "i64"):
            bits = t[1:]
            k = rng.randrange(9)
            if k < 3:
                return self.new(f"{rng.choice(INT_OPS)} {t} {p(t)}, {p(t)}")
            if k == 3:
                amount = self.new(f"and {t} {p(t)}, {int(bits) - 1}")
                return self.new(f"{rng.choice(('shl', 'lshr', 'ashr'))} {t} {p(t)}, {amount}")
            if k == 4:
                divisor = self.new(f"or {t} {p(t)}, 1")
                return self.new(f"{rng.choice(('udiv', 'urem'))} {t} {p(t)}, {divisor}")
            if k == 5:
                return self.call(rng.choice(("smin", "smax", "umin", "umax")), t, p(t), p(t))
            if k == 6:
                return self.call(rng.choice(("ctpop", "bitreverse", "bswap")), t, p(t))
            if k == 7:
                small = self.new(f"trunc {t} {p(t)} to {rng.choice(('i8', 'i16'))}")
                return self.new(f"{rng.choice(('sext', 'zext'))} {self.lines[-1].split()[-1]} {small} to {t}")
            return (
                self.new(f"trunc i64 {p('i64')} to i32")
                if t == "i32"
                else self.new(f"{rng.choice(('sext', 'zext'))} i32 {p('i32')} to i64")
            )
        k = rng.randrange(7)
        if k < 3:
            return self.new(f"{rng.choice(FLOAT_OPS)} {t} {p(t)}, {p(t)}")
        if k == 3:
            return self.call("fma", t, p(t), p(t), p(t))
        if k == 4:
            return self.call("fabs", t, p(t))
        if k == 5:
            return self.new(f"{rng.choice(('sitofp', 'uitofp'))} i32 {p('i32')} to {t}")
        return (
            self.new(f"fptrunc double {p('double')} to float")
            if t == "float"
            else self.new(f"fpext float {p('float')} to double")
        )

    def condition(self):
        t = self.rng.choice(TYPES)
        if t[0] == "i":
            return self.new(f"icmp {self.rng.choice(COMPARES)} {t} {self.pick(t)}, {self.pick(t)}")
        return self.new(f"fcmp {self.rng.choice(FLOAT_COMPARES)} {t} {self.pick(t)}, {self.pick(t)}")

    def step(self):
        t = self.rng.choice(TYPES)
        k = self.rng.random()
        if k < 0.8:
            self.values[t].append(self.operation(t))
        elif k < 0.9:
            self.values[t].append(
                self.new(f"select i1 {self.condition()}, {t} {self.pick(t)}, {t} {self.pick(t)}")
            )
        elif k < 0.96:
            self.branch(t)
        else:
            self.loop(t)

    def branch(self, t):
        a, c, before, n = self.pick(t), self.condition(), self.here, self.count
        self.lines.append(f"  br i1 {c}, label %then{n}, label %join{n}")
        self.label(f"then{n}")
        b = self.operation(t)
        self.lines.append(f"  br label %join{n}")
        self.label(f"join{n}")
        self.values[t].append(self.new(f"phi {t} [ {a}, %{before} ], [ {b}, %then{n} ]"))

    def loop(self, t):
        start, n = self.pick(t), self.count
        times = self.new(f"and i32 {self.pick('i32')}, 7")
        before = self.here
        self.lines.append(f"  br label %loop{n}")
        self.label(f"loop{n}")
        self.lines.append(f"  %i{n} = phi i32 [ 0, %{before} ], [ %n{n}, %loop{n} ]")
        self.lines.append(f"  %x{n} = phi {t} [ {start}, %{before} ], [ %y{n}, %loop{n} ]")
        op = self.rng.choice(INT_OPS if t[0] == "i" else FLOAT_OPS[:3])
        self.lines.append(f"  %y{n} = {op} {t} %x{n}, {self.pick(t)}")
        self.lines.append(f"  %n{n} = add i32 %i{n}, 1")
        self.lines.append(f"  %c{n} = icmp ult i32 %i{n}, {times}")
        self.lines.append(f"  br i1 %c{n}, label %loop{n}, label %end{n}")
        self.label(f"end{n}")
        self.values[t].append(f"%y{n}")


def programs(seed, operations=45):
    """IR of the same computation for AMDGPU and for the host, and the types of its results."""
    rng = random.Random(seed)
    body = Body(rng)
    offset = 0
    head = []
    for t in TYPES:
        for j in range(2):
            head.append(f"  %p{t}{j} = getelementptr i8, PTR %in, i64 {offset * LANES}")
            head.append(f"  %q{t}{j} = getelementptr {t}, PTR %p{t}{j}, i64 %lane")
            head.append(f"  %in{t}{j} = load {t}, PTR %q{t}{j}")
            body.values[t].append(f"%in{t}{j}")
            offset += SIZES[t]
    for _ in range(operations):
        body.step()
    tail, results, offset = [], [], 0
    for t in TYPES:
        for j, v in enumerate(body.values[t][-3:]):
            tail.append(f"  %o{t}{j} = getelementptr i8, PTR %out, i64 {offset * LANES}")
            tail.append(f"  %w{t}{j} = getelementptr {t}, PTR %o{t}{j}, i64 %lane")
            tail.append(f"  store {t} {v}, PTR %w{t}{j}")
            results.append(t)
            offset += SIZES[t]
    text = "\n".join(head + body.lines + tail + ["  ret void", "}"] + sorted(body.intrinsics)) + "\n"
    device = (
        "define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {\nentry:\n"
        "  %item = call i32 @llvm.amdgcn.workitem.id.x()\n  %lane = zext i32 %item to i64\n"
        + text.replace("PTR", "ptr addrspace(1)")
        + "declare i32 @llvm.amdgcn.workitem.id.x()\n"
    )
    host = "define void @k(ptr %in, ptr %out, i64 %lane) {\nentry:\n" + text.replace("PTR", "ptr")
    return device, host, results


def inputs(seed):
    rng, data = random.Random(seed), b""
    for t in TYPES:
        for _ in range(2):
            if t[0] == "i":
                values = [
                    rng.choice(
                        (0, 1, (1 << 8 * SIZES[t]) - 1, rng.getrandbits(8 * SIZES[t]), rng.getrandbits(6))
                    )
                    for _ in range(LANES)
                ]
            else:
                values = [
                    rng.choice(
                        (0.0, -0.0, 1.0, float("inf"), rng.uniform(-9, 9), rng.uniform(-1e30, 1e30), 3e-39)
                    )
                    for _ in range(LANES)
                ]
            data += struct.pack(f"<{LANES}{SHAPES[t]}", *values)
    return data


def on_host(ir, data, size):
    with tempfile.TemporaryDirectory() as folder:
        obj, lib = os.path.join(folder, "k.o"), os.path.join(folder, "k.so")
        run(
            "llc",
            "-O0",
            "-mtriple=x86_64-linux-gnu",
            "-mattr=+fma",
            "-relocation-model=pic",
            "-filetype=obj",
            "-o",
            obj,
            "-",
            text=ir,
        )
        subprocess.run([tool("ld.lld"), "-shared", obj, "-o", lib], check=True, capture_output=True)
        k = ctypes.CDLL(lib).k
        src, out = ctypes.create_string_buffer(data, len(data)), ctypes.create_string_buffer(size)
        for lane in range(LANES):
            k(src, out, ctypes.c_int64(lane))
        return out.raw


def on_device(ir, cpu, data, size, options, memory):
    gpu = Gpu(build(ir, cpu, *options))
    src, out = gpu.alloc(data), gpu.alloc(bytes(size))
    gpu.launch("k", 1, LANES, struct.pack("<QQ", src, out), seed=1, memory=memory)
    return gpu.read(out, size)


def difference(seed, cpu, options=(), memory="strong"):
    """The first result that differs between host and device, or nothing. Any NaN equals any other."""
    device, host, results = programs(seed)
    size = LANES * sum(SIZES[t] for t in results)
    data = inputs(seed)
    want, got = on_host(host, data, size), on_device(device, cpu, data, size, options, memory)
    offset = 0
    for k, t in enumerate(results):
        n = SIZES[t] * LANES
        for lane, (a, b) in enumerate(
            zip(*(struct.unpack(f"<{LANES}{SHAPES[t]}", x[offset : offset + n]) for x in (want, got)))
        ):
            if a != a and b != b:
                continue
            if struct.pack("<" + SHAPES[t], a) != struct.pack("<" + SHAPES[t], b):
                return f"seed {seed} {cpu}: result {k} ({t}) lane {lane}: {b!r}, not {a!r}"
        offset += n
    return None
