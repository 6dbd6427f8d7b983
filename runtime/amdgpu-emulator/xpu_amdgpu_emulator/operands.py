"""Operands of an instruction as Python source text: reading and writing registers, constants, literals."""

import re

from .instruction_tables import pseudocode
from .numeric import M32, Unsupported, to_bits
from .tables import F_INLINE, OVERRIDE, PRIVATE_HI, SHARED_HI


class Operands:
    """What every family of instructions needs. `lit`, `f64lit` and `half8` describe the current instruction."""

    ENV = {"SCC": ("u", 1), "EXEC": ("u", 64), "VCC": ("u", 64), "SIMM16": ("u", 16), "SIMM32": ("u", 32)}

    def __init__(self, arch, ws, weak):
        self.arch, self.ws, self.weak, self.cdna, self.text = arch, ws, weak, arch == "cdna", ""

    def regs(self, **k):
        return {**self.ENV, **{n: ("u", b) for n, b in k.items()}}

    def text_of(self, name):
        base = re.sub(r"_E(32|64)$", "", name)
        if base in OVERRIDE:
            return OVERRIDE[base]
        by = pseudocode(self.arch)
        if base not in by:
            raise Unsupported(f"no pseudocode for {name}")
        return by[base]

    def read_operand(self, o, bits):
        """Python source for the raw value of operand o (0..511 encoding); VGPRs use lane l."""
        n = max(1, (bits + 31) // 32)
        if o >= 256:
            r = o - 256
            if bits == 16 and not self.cdna and self.half8 and r >= 128:
                return f"(v[{r - 128}][l]>>16)"
            parts = [f"v[{r + i}][l]" + (f"<<{32 * i}" if i else "") for i in range(n)]
            s = "(" + "|".join(parts) + ")"
            return f"({s}&0xffff)" if bits == 16 else s
        if o < 128:
            if not self.cdna and o == 124:
                return "0"
            s = "(" + "|".join(f"s[{o + i}]" + (f"<<{32 * i}" if i else "") for i in range(n)) + ")"
            return f"({s}&0xffff)" if bits == 16 else s
        m = (1 << bits) - 1
        if o <= 192:
            return str(o - 128)
        if o <= 208:
            return str((192 - o) & m)
        if o in F_INLINE:
            return str(to_bits(F_INLINE[o], 64 if bits == 64 else 16 if bits == 16 else 32))
        if o == 253:
            return "w.scc"
        if o == 255:
            return str((self.lit << 32) if bits == 64 and self.f64lit else self.lit & m)
        if o == 251:
            return "(0 if w.vcc() else 1)"
        if o == 252:
            return "(0 if w.exec() else 1)"
        if o in (235, 237):
            return str(({235: SHARED_HI, 237: PRIVATE_HI}[o] << 32) if bits == 64 else 0)
        if o in (236, 238):
            return str(M32)
        raise Unsupported(f"source operand {o}")

    def write_scalar(self, o, bits, val):
        if not self.cdna and o == 124:
            return []
        if bits <= 32:
            return [f"s[{o}]={val}&M32"]
        return [f"t_={val}"] + [f"s[{o + i}]=t_>>{32 * i}&M32" for i in range((bits + 31) // 32)]

    def widths(self, inst):  # operand widths by field name; the table says vsrc0 for some src0
        b = inst.op_bits
        return {**b, **{k[1:]: n for k, n in b.items() if k.startswith("vsrc")}}

    def field(self, inst, name):
        f = getattr(type(inst), name)
        return inst._raw >> f.lo & f.mask

    # ----------------------------------------------------------------
