"""Scalar instructions with a constant of 16 bits (SOPK), each by itself and in a row with others."""

import contextlib
import io
import operator
import struct
import unittest

from toolchain import assemble
from xpu_amdgpu_emulator import Gpu

CONSTANTS = (0, 1, 0x7C01, 0x7FFF, 0x8000, 0xC3FF, 0xFFFF)
REGISTERS = (0, 1, 0x7FFF, 0x8000, 0xC3FF, 0x7FFFFFFF, 0x80000000, 0xFFFF8000, 0xFFFFC3FE, 0xFFFFFFFF)
COMPARES = {
    "eq": operator.eq,
    "lg": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}
KERNEL = """
    .text
    .globl k
    .p2align 8
    .type k,@function
k:
    s_load_{wide} s[0:1], s[0:1], 0x0
    v_mov_b32 v10, 0
    s_waitcnt lgkmcnt(0)
{body}
    s_waitcnt vmcnt(0)
    s_endpgm
.rodata
    .p2align 6
    .amdhsa_kernel k
    .amdhsa_kernarg_size 8
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 12
    .amdhsa_next_free_sgpr 8
    {more}
    .end_amdhsa_kernel
"""
CHIPS = {
    "gfx1100": ("b64", "global_store_b32", ".amdhsa_wavefront_size32 1"),
    "gfx942": ("dwordx2", "global_store_dword", ".amdhsa_accum_offset 12"),
}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


def cases():
    """Each instruction of `s3` and a constant that sets SCC, and what SCC is then; what writes `s3`, and what is in it."""
    compares, writes = [], []
    for constant in CONSTANTS:
        for register in REGISTERS:
            for name, compare in COMPARES.items():
                wide = signed(register, 32), signed(constant, 16)
                compares.append((f"s_cmpk_{name}_i32", register, constant, compare(*wide)))
                compares.append((f"s_cmpk_{name}_u32", register, constant, compare(register, constant)))
            wide = signed(constant, 16)
            writes.append(("s_movk_i32", register, constant, wide))
            writes.append(("s_addk_i32", register, constant, register + wide))
            writes.append(("s_mulk_i32", register, constant, register * wide))
            # SCC is 1 there
            writes.append(("s_cmovk_i32", register, constant, wide))
    return compares, writes


class Constants(unittest.TestCase):
    def check(self, chip, alone):
        wide, store, more = CHIPS[chip]
        body, expected = [], []
        compares, writes = cases()
        for name, register, constant, scc in compares[:: 37 if alone else 5]:
            # the one in between has another operand
            body += [f"s_mov_b32 s3, {register:#x}", "s_not_b32 s5, s0"]
            body += [f"{name} s3, {constant:#x}", "s_cselect_b32 s4, 5, 7"]
            expected.append((name, register, constant, 5 if scc else 7))
        for name, register, constant, result in writes[:: 17 if alone else 5]:
            body += [f"s_mov_b32 s3, {register:#x}", "s_cmp_eq_u32 s0, s0"]
            body += [f"{name} s3, {constant:#x}", "s_mov_b32 s4, s3"]
            expected.append((name, register, constant, result & 0xFFFFFFFF))
        stores = iter(range(len(expected)))
        lines = []
        for line in body:
            lines.append(line)
            if line.startswith(("s_cselect", "s_mov_b32 s4")):
                lines += [
                    "v_mov_b32 v1, s4",
                    f"v_mov_b32 v10, {4 * next(stores)}",
                    f"{store} v10, v1, s[0:1]",
                ]
        code = assemble(KERNEL.format(wide=wide, body="\n".join(lines), more=more), chip)
        gpu = Gpu(code)
        out = gpu.alloc(bytes(4 * len(expected)))
        with contextlib.redirect_stdout(io.StringIO()):
            gpu.launch("k", 1, 1, struct.pack("<Q", out), trace=alone)
        words = struct.unpack(f"<{len(expected)}I", gpu.read(out, 4 * len(expected)))
        wrong = [(case, word) for case, word in zip(expected, words) if case[3] != word]
        self.assertEqual(wrong, [])

    def test_in_a_row(self):
        for chip in CHIPS:
            with self.subTest(chip):
                self.check(chip, alone=False)

    def test_alone(self):
        # tracing, the emulator translates each instruction by itself
        for chip in CHIPS:
            with self.subTest(chip):
                self.check(chip, alone=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
