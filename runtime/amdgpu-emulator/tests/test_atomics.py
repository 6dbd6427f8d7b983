"""Every atomic instruction that LLVM emits, on global memory and LDS, returning or not, against arithmetic written here.

Each work-item has an element of its own, so that what it returns and leaves is known exactly; contention is in test_kernels.
"""

import math
import random
import re
import struct
import unittest

from toolchain import build, compile_ir
from xpu_amdgpu_emulator import Gpu

CHIPS = ("gfx1100", "gfx1151", "gfx942", "gfx1200")
ITEMS = 64
NATIVE = "!amdgpu.no.fine.grained.memory !0, !amdgpu.no.remote.memory !0, !amdgpu.ignore.denormal.mode !0"
FORMATS = {"i32": "I", "i64": "Q", "float": "f", "double": "d", "<2 x half>": "2e"}


def unsigned(op, bits):
    top = 1 << bits
    signed = lambda x: x - top if x >> bits - 1 else x
    return {
        "add": lambda m, v: (m + v) % top,
        "sub": lambda m, v: (m - v) % top,
        "and": lambda m, v: m & v,
        "or": lambda m, v: m | v,
        "xor": lambda m, v: m ^ v,
        "xchg": lambda m, v: v,
        "umin": min,
        "umax": max,
        "min": lambda m, v: min(m, v, key=signed),
        "max": lambda m, v: max(m, v, key=signed),
        "uinc_wrap": lambda m, v: 0 if m >= v else m + 1,
        "udec_wrap": lambda m, v: v if m == 0 or m > v else m - 1,
        "usub_cond": lambda m, v: m - v if m >= v else m,
        "usub_sat": lambda m, v: max(m - v, 0),
    }[op]


INTEGER = (
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "xchg",
    "umin",
    "umax",
    "min",
    "max",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
)
FLOATING = ("fadd", "fmin", "fmax", "xchg")


def name(op, place, returns):
    return f"{op}_{place}_{'old' if returns else 'none'}"


def forms(chip, ops):
    """What is tested of each operation. LLVM 22 cannot select usub_sat on LDS before gfx12."""
    return [
        (op, place, returns)
        for op in ops
        for place in ("global", "lds")
        for returns in (False, True)
        if (op, place) != ("usub_sat", "lds") or chip.startswith("gfx12")
    ]


def module(chip, t, ops):
    """All kernels of a type in one module."""
    kernels = "".join(kernel(op, t, place, returns) for op, place, returns in forms(chip, ops))
    return f"@lds = internal addrspace(3) global [64 x {t}] poison\n{kernels}declare i32 @llvm.amdgcn.workitem.id.x()\n!0 = !{{}}\n"


def kernel(op, t, place, returns):
    """A kernel that applies `op` to an element of its work-item."""
    space = {"global": 1, "lds": 3}[place]
    target = f"  %p = getelementptr {t}, ptr addrspace(1) %memory, i32 %i\n"
    before = after = ""
    if place == "lds":
        target += f"  %q = getelementptr {t}, ptr addrspace(3) @lds, i32 %i\n"
        before = f'  %m = load {t}, ptr addrspace(1) %p\n  store {t} %m, ptr addrspace(3) %q\n  fence syncscope("workgroup") acq_rel\n'
        after = f'  fence syncscope("workgroup") acq_rel\n  %n = load {t}, ptr addrspace(3) %q\n  store {t} %n, ptr addrspace(1) %p\n'
    address = f"ptr addrspace({space}) {'%q' if place == 'lds' else '%p'}"
    if op == "cmpxchg":
        do = (
            f'  %e = xor {t} %v, 5\n  %pair = cmpxchg {address}, {t} %e, {t} %v syncscope("agent") monotonic monotonic\n'
            f"  %old = extractvalue {{ {t}, i1 }} %pair, 0\n"
        )
    else:
        do = f'  %old = atomicrmw {op} {address}, {t} %v syncscope("agent") monotonic, {NATIVE}\n'
    keep = f"  store {t} %old, ptr addrspace(1) %r\n" if returns else ""
    return f"""define amdgpu_kernel void @{name(op, place, returns)}(ptr addrspace(1) noalias %memory, ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %results) {{
  %i = call i32 @llvm.amdgcn.workitem.id.x()
{target}  %w = getelementptr {t}, ptr addrspace(1) %values, i32 %i
  %r = getelementptr {t}, ptr addrspace(1) %results, i32 %i
  %v = load {t}, ptr addrspace(1) %w
{before}{do}{keep}{after}  ret void
}}
"""


def samples(t, rng):
    if t in ("i32", "i64"):
        bits = int(t[1:])
        return rng.choice((0, 1, (1 << bits) - 1, 1 << bits - 1, rng.getrandbits(bits), rng.randrange(9)))
    if t == "<2 x half>":
        return (rng.choice((0.5, -2.0, 1024.0, rng.uniform(-9, 9))), rng.uniform(-9, 9))
    return rng.choice(
        (0.0, -0.0, math.inf, -math.inf, math.nan, 1.5, rng.uniform(-1e9, 1e9), rng.uniform(-2, 2))
    )


def round_to(t, x):
    shape = {"float": "f", "double": "d", "half": "e"}[t]
    return struct.unpack("<" + shape, struct.pack("<" + shape, x))[0] if math.isfinite(x) else x


def expect(op, t, m, v):
    """What is in memory afterwards."""
    if op == "cmpxchg":
        return v if m == v ^ 5 else m
    if t in ("i32", "i64"):
        return unsigned(op, int(t[1:]))(m, v)
    if t == "<2 x half>":
        return tuple(round_to("half", a + b) for a, b in zip(m, v))
    if op == "xchg":
        return v
    if op == "fadd":
        return round_to(t, m + v)
    if m != m:
        return v
    if v != v:
        return m
    return min(m, v) if op == "fmin" else max(m, v)


def same(a, b):
    """Equal, with any NaN equal to any and either zero to the other."""
    if isinstance(a, tuple):
        return all(map(same, a, b))
    return a == b or a != a and b != b


class Atomics(unittest.TestCase):
    def one(self, code, chip, op, t, place, returns, memory):
        rng = random.Random(f"{chip} {op} {t} {place} {returns}")
        pair = t == "<2 x half>"
        shape = "<" + (f"{2 * ITEMS}e" if pair else f"{ITEMS}{FORMATS[t]}")
        flat = lambda xs: [y for x in xs for y in x] if pair else xs
        unflat = lambda xs: list(zip(xs[::2], xs[1::2])) if pair else list(xs)
        pack = lambda xs: struct.pack(shape, *flat(xs))
        exact = lambda xs: unflat(struct.unpack(shape, pack(xs)))
        before, values = (
            exact([samples(t, rng) for _ in range(ITEMS)]),
            exact([samples(t, rng) for _ in range(ITEMS)]),
        )
        if op == "cmpxchg":
            before = [v ^ 5 if rng.random() < 0.5 else m for m, v in zip(before, values)]
        gpu = Gpu(code)
        m, v, r = gpu.alloc(pack(before)), gpu.alloc(pack(values)), gpu.alloc(bytes(len(pack(before))))
        gpu.launch(name(op, place, returns), 1, ITEMS, struct.pack("<QQQ", m, v, r), seed=3, memory=memory)
        read = lambda a: unflat(struct.unpack(shape, gpu.read(a, struct.calcsize(shape))))
        for i, (got, x, y) in enumerate(zip(read(m), before, values)):
            self.assertTrue(same(got, expect(op, t, x, y)), f"item {i}: {op} {t} of {x} and {y} left {got}")
        if returns:
            for i, (got, x) in enumerate(zip(read(r), before)):
                self.assertTrue(same(got, x), f"item {i}: {op} {t} returned {got}, not {x}")


def add(chip, t, ops):
    def check(self):
        code = build(module(chip, t, ops), chip, "-amdgpu-atomic-optimizer-strategy=None")
        for op, place, returns in forms(chip, ops):
            with self.subTest(op=op, place=place, returns=returns):
                self.one(code, chip, op, t, place, returns, "weak" if returns else "strong")

    setattr(Atomics, "test_" + re.sub(r"\W+", "_", f"{chip}_{t}"), check)


for chip in CHIPS:
    for t in ("i32", "i64"):
        add(chip, t, INTEGER + ("cmpxchg",))
    for t in ("float", "double"):
        add(chip, t, FLOATING)
    add(chip, "<2 x half>", ("fadd",))


class Special(unittest.TestCase):
    def bits(self, chip, op, t, shape, pairs, instruction=None, place="global"):
        ir = module(chip, t, [op])
        if instruction:
            self.assertIn(instruction, compile_ir(ir, chip))
        gpu = Gpu(build(ir, chip))
        pad = lambda xs: list(xs) + [0] * (ITEMS - len(xs))
        m = gpu.alloc(struct.pack(f"<{ITEMS}{shape}", *pad([a for a, _ in pairs])))
        v = gpu.alloc(struct.pack(f"<{ITEMS}{shape}", *pad([b for _, b in pairs])))
        gpu.launch(name(op, place, False), 1, ITEMS, struct.pack("<QQQ", m, v, m))
        return list(
            struct.unpack(f"<{ITEMS}{shape}", gpu.read(m, ITEMS * struct.calcsize(shape)))[: len(pairs)]
        )

    def test_subnormal_sums(self):
        """RDNA3 13.2, CDNA3 10.3.1 and CDNA4 9.2.2: the add in L2 flushes subnormal inputs; RDNA4 13.2: it flushes nothing.

        Two subnormals; the least normal less a subnormal; normals whose difference is subnormal; memory subnormal, and not.
        """
        pairs = [
            (1, 2),
            (0x00800000, 0x80000001),
            (0x00800001, 0x80800000),
            (0x80000001, 0x00800000),
            (0x3F800000, 0x00000001),
        ]
        for chip in ("gfx1100", "gfx1151", "gfx942", "gfx950"):
            self.assertEqual(
                self.bits(chip, "fadd", "float", "I", pairs, "global_atomic_add_f32"),
                [0, 0x00800000, 1, 0x00800000, 0x3F800000],
            )
        kept = [3, 0x007FFFFF, 1, 0x007FFFFF, 0x3F800000]
        for chip in ("gfx1200", "gfx1201"):
            self.assertEqual(self.bits(chip, "fadd", "float", "I", pairs, "global_atomic_add_f32"), kept)
        for chip in CHIPS:
            self.assertEqual(
                self.bits(chip, "fadd", "float", "I", pairs, "ds_add_f32", place="lds"), kept, chip
            )

    def test_bfloat_pairs(self):
        """Each half is rounded to nearest, ties to even: 1 + 2^-8 is 1, 1 + 3 * 2^-8 is 1 + 2^-6; the sum of a half does not reach the other."""
        pairs = [(0x3F80_3F80, 0x3B80_3C40), (0xBF80_4000, 0x3F80_3F80)]
        for chip in ("gfx942", "gfx1200"):
            self.assertEqual(
                self.bits(chip, "fadd", "<2 x bfloat>", "I", pairs, "global_atomic_pk_add_bf16"),
                [0x3F80_3F82, 0x0000_4040],
            )


if __name__ == "__main__":
    unittest.main(verbosity=2)
