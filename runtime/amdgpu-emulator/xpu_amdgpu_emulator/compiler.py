"""Turns machine code into Python functions, a block of instructions at a time."""

import struct

from .instruction_tables import decoder
from .lanewise import lane_mask
from .memory_instructions import MemoryInstructions
from .numeric import M64, RUNTIME, Unsupported
from .packed import listed, shape
from .scalar import ScalarInstructions
from .tables import PRIVATE_HI, SHARED_HI, lanes
from .vector import VectorInstructions
from .words import WordAccess

LONGEST_BLOCK = 64


class Compiler(ScalarInstructions, VectorInstructions, MemoryInstructions):
    """Compiles for one architecture, wave size and memory mode.

    A block is a run of instructions that touch nothing but the wave's own registers, and the one after them that does, or that
    branches. Nothing in between is visible to another wave, so running a block at once loses no interleaving.
    """

    def __init__(self, arch, ws, weak):
        super().__init__(arch, ws, weak)
        self.name_count, self.decoded = 0, {}
        form = shape(ws)
        # what the generated functions know; it grows by the constants and memory operations that they name
        self.constants = dict(
            RUNTIME,
            lanes=lanes,
            SHARED_HI=SHARED_HI,
            PRIVATE_HI=PRIVATE_HI,
            M=M64,
            lane_mask=lane_mask,
            pack=form.pack,
            unpack=form.unpack,
            unpack64=form.unpack64,
            spread=form.spread,
            mask_of=form.mask,
            X=form.selects,
            words=WordAccess(form),
        )

    def function(self, name, arguments, lines):
        """The Python function of some statements, on the registers `v` and `s` of a wave."""
        body = [self.direct(x) for x in listed(lines)]
        src = f"def {name}({arguments}):\n    r=w.v; s=w.s\n" + "\n".join("    " + x for x in body)
        try:
            exec(src, self.constants)
        except SyntaxError as e:
            raise Unsupported(f"{self.text}: translation failed: {e}\n{src}") from None
        made = self.constants.pop(name)
        made.__doc__ = src
        return made

    def block(self, fetch, pc, single=False):
        """The block at `pc`, as its text, number of instructions and function of a wave; `fetch(pc)` gives the bytes there."""
        out, texts, n = [], [], 0
        while True:
            try:
                text, size, body, ends = self.instruction(fetch(pc), pc)
            except Unsupported as e:
                if n:
                    text, size, body, ends = "", 0, [], True
                else:
                    raise Unsupported(f"{e} (at {pc:#x})") from None
            last = ends or single or n >= LONGEST_BLOCK
            if last:
                out.append(f"w.pc={pc + size}; w.at={pc}")
            out += listed(body)
            if size:
                texts.append(text)
                n += 1
            pc += size
            if last:
                break
        return texts, n, self.function("step", "w", out)

    def direct(self, line):
        """Reads and writes of the mask registers without calls."""
        wide = self.ws == 64
        line = line.replace("w.exec()", "(s[126]|s[127]<<32)" if wide else "s[126]").replace(
            "w.vcc()", "(s[106]|s[107]<<32)" if wide else "s[106]"
        )
        return line.replace(
            "w.set_exec(EXEC)", "s[126]=EXEC&0xffffffff" + ("; s[127]=EXEC>>32&0xffffffff" if wide else "")
        )

    def instruction(self, code, pc):
        """Text, size and Python statements of the instruction, and whether it ends a block."""
        known = self.decoded.get(pc)
        if known is None:
            text, size, body = self.decode(code, pc)
            ends = self.ends or any("w.pc=" in x or "w.state" in x for x in body or ())
            known = self.decoded[pc] = (text, size, body or [], ends)
        return known

    def decode(self, code, pc):
        w0, w1 = struct.unpack_from("<II", code)
        self.ends, self.text = False, ""
        if w0 >> 26 == 0x38 and self.arch != "rdna4":  # MUBUF: only the cache controls (no operands)
            op = w0 >> 18 & (0x7F if self.cdna else 0xFF)
            if op in ((40, 41) if self.cdna else (43, 44)):
                names = {40: "buffer_wbl2", 41: "buffer_inv", 43: "buffer_gl0_inv", 44: "buffer_gl1_inv"}
                self.text = names[op]
                return names[op], 8, self.buffer_control(op, w0 >> 14 & 1, w0 >> 15 & 1)
            raise Unsupported(f"MUBUF op {op}")
        try:
            inst = decoder(self.arch)(bytes(code))
        except (ValueError, AssertionError, KeyError) as e:
            raise Unsupported(f"{e}") from None
        cls = type(inst).__name__
        base = cls.split("_")[0]
        name = inst.op.name if hasattr(inst, "op") else "VOPD"
        self.text = text = repr(inst)
        size = inst.size()
        self.lit = 0
        self.half8 = base in ("VOP1", "VOP2", "VOPC")
        self.f64lit = "F64" in name
        if hasattr(type(inst), "literal"):
            self.lit = self.field(inst, "literal")
        elif any(
            getattr(f, "_valid_range", (0, 0))[1] >= 255 and self.field(inst, n) == 255
            for n, f in inst._fields
            if n.startswith(("src", "ssrc"))
        ):
            self.lit = struct.unpack_from("<I", code, size)[0]
            size += 4
        elif name.startswith(("S_SETREG_IMM32", "V_FMAAK", "V_FMAMK", "V_MADAK", "V_MADMK")):
            self.lit = struct.unpack_from("<I", code, size)[0]
            size += 4
        if cls.endswith(("_DPP16", "_DPP8", "_MFMA")) or "SDWA" in cls:
            if not (base in ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3SD") and "DPP8" not in cls):
                raise Unsupported(f"{cls} {name}")
        gen = getattr(self, "format_" + base, None)
        if gen is None:
            raise Unsupported(f"{cls} {name}")
        return text, size, gen(inst, name, pc, size)
