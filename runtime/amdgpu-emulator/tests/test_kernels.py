"""Whole kernels: contention, barriers, calls, cross-lane operations, every kind of memory, in all schedules and memory modes."""

import random
import re
import struct
import unittest

from toolchain import assemble, build, compile_ir
from xpu_amdgpu_emulator import EmuError, Gpu

CHIPS = {
    "gfx1100": (),
    "gfx1151": (),
    "gfx942": (),
    "gfx1200": (),
    "gfx1100_wave64": ("-mattr=+wavefrontsize64",),
    "gfx1100_cumode": ("-mattr=+cumode",),
}
MODES = (("random", "strong"), ("rr", "strong"), ("seq", "strong"), ("random", "weak"), ("random", "weak"))
GROUPS, ITEMS = 3, 128
TOTAL = GROUPS * ITEMS

HEAD = """
@lds = internal addrspace(3) global [128 x i32] poison
@table = internal addrspace(4) constant [4 x i32] [i32 11, i32 22, i32 33, i32 44]
@entries = internal addrspace(1) constant [2 x ptr addrspace(4)] [ptr addrspace(4) @table, ptr addrspace(4) getelementptr (i32, ptr addrspace(4) @table, i32 2)]
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.amdgcn.s.barrier()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
declare i32 @llvm.amdgcn.ds.swizzle(i32, i32)
declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32, i32, i32, i1)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare i32 @llvm.amdgcn.mbcnt.hi(i32, i32)
define internal i32 @triple(i32 %x) noinline { %y = mul i32 %x, 3  %z = xor i32 %y, 1  ret i32 %z }
"""
START = """define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) %out, ptr addrspace(1) %counter) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %group, 128
  %i = add i32 %base, %item
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
"""
BARRIER = """  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
"""
KEEP = "  store i32 %r, ptr addrspace(1) %q\n"


def body(text, keep=True):
    return HEAD + START + text.replace("BARRIER\n", BARRIER) + (KEEP if keep else "") + "  ret void\n}\n"


TICKET = body('  %r = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope("agent") monotonic\n')
FLOAT_SUM = body(
    """  %f = uitofp i32 %v to float
  %o = atomicrmw fadd ptr addrspace(1) %counter, float %f syncscope("agent") monotonic
""",
    False,
)
CAS_SUM = body(
    """  br label %retry
retry:
  %seen = load atomic i32, ptr addrspace(1) %counter syncscope("agent") monotonic, align 4
  %want = add i32 %seen, %v
  %pair = cmpxchg ptr addrspace(1) %counter, i32 %seen, i32 %want syncscope("agent") monotonic monotonic
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %done, label %retry
done:
""",
    False,
)
REDUCTION = body("""  %cell = getelementptr i32, ptr addrspace(3) @lds, i32 %item
  store i32 %v, ptr addrspace(3) %cell
  br label %head
head:
  %width = phi i32 [ 64, %0 ], [ %half, %next ]
BARRIER
  %active = icmp ult i32 %item, %width
  br i1 %active, label %add, label %next
add:
  %from = add i32 %item, %width
  %there = getelementptr i32, ptr addrspace(3) @lds, i32 %from
  %a = load i32, ptr addrspace(3) %cell
  %b = load i32, ptr addrspace(3) %there
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %cell
  br label %next
next:
  %half = lshr i32 %width, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %head, label %end
end:
BARRIER
  %r = load i32, ptr addrspace(3) @lds
""")
# through global memory: each item stores, meets the others, and reads the item opposite
GLOBAL_EXCHANGE = body("""  store i32 %v, ptr addrspace(1) %q
BARRIER
  %other = xor i32 %i, 127
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %other
  %w = load i32, ptr addrspace(1) %o
BARRIER
  %r = add i32 %w, 1
""")
CALL = body("  %r = call i32 @triple(i32 %v)\n")
TABLE = body("""  %k = and i32 %v, 1
  %e = getelementptr ptr addrspace(4), ptr addrspace(1) @entries, i32 %k
  %t = load ptr addrspace(4), ptr addrspace(1) %e
  %m = lshr i32 %v, 1
  %n = and i32 %m, 1
  %u = getelementptr i32, ptr addrspace(4) %t, i32 %n
  %r = load i32, ptr addrspace(4) %u
""")
SCRATCH = body("""  %array = alloca [8 x i32], addrspace(5)
  br label %fill
fill:
  %j = phi i32 [ 0, %0 ], [ %j1, %fill ]
  %a = getelementptr i32, ptr addrspace(5) %array, i32 %j
  %x = mul i32 %j, %v
  store volatile i32 %x, ptr addrspace(5) %a
  %j1 = add i32 %j, 1
  %c = icmp ult i32 %j1, 8
  br i1 %c, label %fill, label %read
read:
  %k = and i32 %v, 7
  %b = getelementptr i32, ptr addrspace(5) %array, i32 %k
  %r = load volatile i32, ptr addrspace(5) %b
""")
FLAT = body("""  %cell = getelementptr i32, ptr addrspace(3) @lds, i32 %item
  store i32 5, ptr addrspace(3) %cell
  %g = addrspacecast ptr addrspace(1) %q to ptr
  %l = addrspacecast ptr addrspace(3) %cell to ptr
  %odd = trunc i32 %v to i1
  %where = select i1 %odd, ptr %l, ptr %g
  store volatile i32 7, ptr %where
  %x = load i32, ptr addrspace(3) %cell
  %z = load volatile i32, ptr %where
  %r = add i32 %x, %z
""")
LANES = body("""  %shift = shl i32 %item, 2
  %back = sub i32 124, %shift
  %m = and i32 %back, 124
  %a = call i32 @llvm.amdgcn.ds.bpermute(i32 %m, i32 %v)
  %b = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %i)
  %c = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %v, i32 177, i32 15, i32 15, i1 false)
  %d = xor i32 %a, %c
  %lo = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %lo)
  %e = add i32 %b, %lane
  %f = sub i32 %e, %i
  %r = add i32 %d, %f
""")


# each lane takes its neighbour's value and adds it to its own, in the register that others read
DPP_IN_PLACE = body("""  %a = call i32 @llvm.amdgcn.update.dpp.i32(i32 %v, i32 %v, i32 177, i32 15, i32 15, i1 false)
  %b = add i32 %a, %v
  %c = call i32 @llvm.amdgcn.update.dpp.i32(i32 %b, i32 %b, i32 78, i32 15, i32 15, i1 false)
  %r = add i32 %c, %b
""")
# each lane takes its neighbour's value, and then the one two away, into the register that held its own
PERMUTE_IN_PLACE = body("""  %shift = shl i32 %item, 2
  %m = xor i32 %shift, 4
  %a = call i32 @llvm.amdgcn.ds.bpermute(i32 %m, i32 %v)
  %r = call i32 @llvm.amdgcn.ds.swizzle(i32 %a, i32 2079)
""")
# the optimizer of atomics adds up a wave with scans over lanes
OPTIMIZED_SUM = body(
    '  %o = atomicrmw add ptr addrspace(1) %counter, i32 %v syncscope("agent") monotonic\n', False
)


class Kernels(unittest.TestCase):
    def launch(self, ir, form, seed, mode, data):
        gpu = Gpu(build(ir, form.split("_")[0], *CHIPS[form]))
        src, out, counter = (
            gpu.alloc(struct.pack(f"<{TOTAL}I", *data)),
            gpu.alloc(bytes(4 * TOTAL)),
            gpu.alloc(bytes(4)),
        )
        gpu.launch(
            "k",
            GROUPS,
            ITEMS,
            struct.pack("<QQQ", src, out, counter),
            seed=seed,
            sched=mode[0],
            memory=mode[1],
            limit=5_000_000,
        )
        return list(struct.unpack(f"<{TOTAL}I", gpu.read(out, 4 * TOTAL))), gpu.read(counter, 4)

    def each(self, ir, want, forms=tuple(CHIPS), modes=MODES):
        rng = random.Random(5)
        for form in forms:
            for seed, mode in enumerate(modes):
                data = [rng.randrange(1000) for _ in range(TOTAL)]
                with self.subTest(form=form, mode=mode):
                    want(data, *self.launch(ir, form, seed, mode, data))

    def results(self, compute):
        return lambda data, out, _: self.assertEqual(out, [compute(x, i, data) for i, x in enumerate(data)])

    def test_tickets(self):
        self.each(
            TICKET,
            lambda data, out, n: self.assertEqual(
                (sorted(out), n), (list(range(TOTAL)), struct.pack("<I", TOTAL))
            ),
        )

    def test_float_sum(self):
        self.each(FLOAT_SUM, lambda data, out, n: self.assertEqual(struct.unpack("<f", n)[0], sum(data)))

    def test_cas_sum(self):
        self.each(
            CAS_SUM,
            modes=MODES[:1] + MODES[-1:],
            forms=("gfx1100", "gfx942", "gfx1200"),
            want=lambda data, out, n: self.assertEqual(struct.unpack("<I", n)[0], sum(data)),
        )

    def test_reduction(self):
        self.each(REDUCTION, self.results(lambda x, i, data: sum(data[i & ~127 : (i & ~127) + 128])))

    def test_global_exchange(self):
        self.each(GLOBAL_EXCHANGE, self.results(lambda x, i, data: data[i ^ 127] + 1))

    def test_dpp_in_place(self):
        self.each(DPP_IN_PLACE, self.results(lambda x, i, data: sum(data[i & ~3 : (i & ~3) + 4])))

    def test_permute_in_place(self):
        # 2079 is a swizzle by masks: and 31, or 0, xor 2
        self.each(PERMUTE_IN_PLACE, self.results(lambda x, i, data: data[i ^ 3]))

    def test_optimized_sum(self):
        self.each(OPTIMIZED_SUM, lambda data, out, n: self.assertEqual(struct.unpack("<I", n)[0], sum(data)))

    def test_call(self):
        self.each(CALL, self.results(lambda x, i, data: 3 * x ^ 1))

    def test_constant_table(self):
        self.each(TABLE, self.results(lambda x, i, data: (11, 22, 33, 44)[2 * (x & 1) + (x >> 1 & 1)]))

    def test_scratch(self):
        self.each(SCRATCH, self.results(lambda x, i, data: (x & 7) * x))

    def test_flat(self):
        self.each(FLAT, self.results(lambda x, i, data: 14 if x & 1 else 12))

    def test_lanes(self):
        def want(size):
            def compute(x, i, data):
                lane, wave = i % size, i - i % size
                source = wave + (31 - i % 128) % 32  # addresses below 128 name the first 32 lanes of the wave
                return (data[source] ^ data[i ^ 1]) + wave + lane - i & 0xFFFFFFFF

            return self.results(compute)

        self.each(LANES, want(32), ("gfx1100", "gfx1151", "gfx1200"))
        self.each(LANES, want(64), ("gfx942",))


IDS = """
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %itemy = call i32 @llvm.amdgcn.workitem.id.y()
  %itemz = call i32 @llvm.amdgcn.workitem.id.z()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %groupy = call i32 @llvm.amdgcn.workgroup.id.y()
  %groupz = call i32 @llvm.amdgcn.workgroup.id.z()
  %implicit = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %gx = load i32, ptr addrspace(4) %implicit
  %sp = getelementptr i8, ptr addrspace(4) %implicit, i32 12
  %s16 = load i16, ptr addrspace(4) %sp
  %sx = zext i16 %s16 to i32
  %xb = mul i32 %group, %sx
  %x = add i32 %xb, %item
  %yb = mul i32 %groupy, 2
  %y = add i32 %yb, %itemy
  %zb = mul i32 %groupz, 3
  %z = add i32 %zb, %itemz
  %a = mul i32 %z, 6
  %b = add i32 %a, %y
  %c = mul i32 %b, 8
  %i = add i32 %c, %x
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = add i32 %i, %gx
  %o = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("agent") monotonic
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
"""


class Ids(unittest.TestCase):
    def test_three_dimensions(self):
        """2 x 3 x 2 groups of 4 x 2 x 3 items: each adds its place and the number of groups in x to its element, once."""
        n = 8 * 6 * 6
        for form, options in CHIPS.items():
            with self.subTest(form=form):
                gpu = Gpu(build(IDS, form.split("_")[0], *options))
                out = gpu.alloc(bytes(4 * n))
                gpu.launch("k", (2, 3, 2), (4, 2, 3), struct.pack("<Q", out), memory="weak")
                self.assertEqual(
                    list(struct.unpack(f"<{n}I", gpu.read(out, 4 * n))), [i + 2 for i in range(n)]
                )


BEFORE_BARRIER = r"\n(\s*s_barrier)"
# chip, kernel, what is wrong, the pattern in the assembly and what takes its place
FAULTS = (
    ("gfx1100", REDUCTION, "LDS not waited for", r"s_waitcnt lgkmcnt\(0\)" + BEFORE_BARRIER, r"\1"),
    ("gfx942", REDUCTION, "LDS not waited for", r"s_waitcnt lgkmcnt\(0\)" + BEFORE_BARRIER, r"\1"),
    ("gfx1200", REDUCTION, "LDS not waited for", r"s_wait_dscnt 0x0" + BEFORE_BARRIER, r"\1"),
    (
        "gfx1100",
        GLOBAL_EXCHANGE,
        "stores not waited for",
        r"s_waitcnt_vscnt null, 0x0" + BEFORE_BARRIER,
        r"\1",
    ),
    ("gfx1100", GLOBAL_EXCHANGE, "no L0 invalidate", r"buffer_gl0_inv", ""),
    ("gfx1200", GLOBAL_EXCHANGE, "stores not waited for", r"s_wait_storecnt 0x0" + BEFORE_BARRIER, r"\1"),
    ("gfx1200", GLOBAL_EXCHANGE, "no L0 invalidate", r"global_inv scope:SCOPE_SE", ""),
    ("gfx1100", CALL, "load not waited for", r"s_waitcnt vmcnt\(0\)\n", "\n"),
    ("gfx942", CALL, "load not waited for", r"s_waitcnt vmcnt\(0\)\n", "\n"),
    ("gfx1200", CALL, "load not waited for", r"s_wait_loadcnt 0x0", ""),
)


class Faults(unittest.TestCase):
    """A wait or an invalidate that is missing shows as a wrong result in the weak mode, and only there."""

    def test_faults(self):
        want = {
            REDUCTION: lambda i, data: sum(data[i & ~127 : (i & ~127) + 128]),
            GLOBAL_EXCHANGE: lambda i, data: data[i ^ 127] + 1,
            CALL: lambda i, data: 3 * data[i] ^ 1,
        }
        data = [(7 * i) % 1000 for i in range(TOTAL)]
        for chip, ir, what, pattern, by in FAULTS:
            with self.subTest(chip=chip, what=what):
                text = compile_ir(ir, chip)
                wrong = re.sub(pattern, by, text)
                self.assertNotEqual(text, wrong, "the fault changes nothing")
                code = assemble(wrong, chip)
                right = [want[ir](i, data) for i in range(TOTAL)]
                self.assertEqual(self.launch(code, data, 0, "strong"), right)
                self.assertTrue(any(self.shows(code, data, seed, right) for seed in range(60)))

    def shows(self, code, data, seed, right):
        """Wrong results, or an address that is not there: what was not waited for may be a pointer."""
        try:
            return self.launch(code, data, seed, "weak") != right
        except EmuError:
            return True

    def launch(self, code, data, seed, memory):
        gpu = Gpu(code)
        src, out, counter = (
            gpu.alloc(struct.pack(f"<{TOTAL}I", *data)),
            gpu.alloc(bytes(4 * TOTAL)),
            gpu.alloc(bytes(4)),
        )
        gpu.launch("k", GROUPS, ITEMS, struct.pack("<QQQ", src, out, counter), seed=seed, memory=memory)
        return list(struct.unpack(f"<{TOTAL}I", gpu.read(out, 4 * TOTAL)))


class Errors(unittest.TestCase):
    """What a kernel may not do is said, with the wave and the address of the instruction."""

    def fails(self, ir, message, memory, **arguments):
        gpu = Gpu(build(ir, "gfx1100"))
        small = gpu.alloc(bytes(4 * 64))
        with self.assertRaisesRegex(EmuError, message):
            gpu.launch("k", 1, 128, struct.pack("<QQQ", small, small, small), memory=memory, **arguments)

    def test_outside(self):
        for memory in ("strong", "weak"):
            self.fails(CALL, r"k: wave \d pc 0x[0-9a-f]+ .*outside every buffer \(nearest: buffer", memory)

    def test_limit(self):
        spin = (
            HEAD
            + """define amdgpu_kernel void @k(ptr addrspace(1) %p) {
  br label %again
again:
  %x = load atomic i32, ptr addrspace(1) %p syncscope("agent") monotonic, align 4
  %c = icmp eq i32 %x, 0
  br i1 %c, label %again, label %end
end:
  ret void
}
"""
        )
        for memory in ("strong", "weak"):
            self.fails(spin, "limit of wave instructions", memory, limit=5000)

    def test_lonely_barrier(self):
        half = body(
            """  %c = icmp ult i32 %item, 64
  br i1 %c, label %wait, label %end
wait:
  call void @llvm.amdgcn.s.barrier()
  br label %end
end:
""",
            False,
        )
        gpu = Gpu(build(half, "gfx1100"))
        data = gpu.alloc(bytes(512))
        gpu.launch("k", 1, 128, struct.pack("<QQQ", data, data, data))  # waves that end no longer count

    def test_no_kernel(self):
        with self.assertRaisesRegex(EmuError, 'no kernel "x"; it has k'):
            Gpu(build(CALL, "gfx1100")).launch("x", 1, 1, b"")

    def test_not_a_code_object(self):
        for data in (b"", b"\x7fELF" + bytes(20), b"\x7fELF" + bytes(90), build(CALL, "gfx1100")[:300]):
            with self.assertRaises(EmuError):
                Gpu(data)
        with self.assertRaisesRegex(EmuError, "gfx1100"):
            Gpu(build(CALL, "gfx1030"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
