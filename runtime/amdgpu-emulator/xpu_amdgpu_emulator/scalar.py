"""Scalar instructions: arithmetic, branches, barriers, waits, scalar loads."""

import re

from .lanewise import live
from .numeric import Unsupported
from .operands import Operands
from .pseudocode import Translator
from .tables import NOPS


class ScalarInstructions(Operands):
    """Python source for the scalar formats."""

    def salu(self, name, env, pre, post, pc, size):
        t = Translator(self.text_of(name), env, False)
        body = t.run()
        text = "\n".join(body)
        out = list(pre) + [f"{x}=0" for x in sorted(t.loc)]
        for r in ("EXEC", "VCC"):
            if r in text:
                out.append(f"{r}=w.{r.lower()}()")
        if "SCC" in text:
            out.append("SCC=w.scc")
        out += body + post
        if re.search(r"\bSCC=", text):
            out.append("w.scc=1 if SCC else 0")
        if re.search(r"\bEXEC=", text):
            out.append("w.set_exec(EXEC)")
        if re.search(r"\bPC=", text):
            out.append("w.pc=PC&M64")
        return live(out, ())

    def scalar(self, inst, name, pc, size, srcs, dst):
        ob = self.widths(inst)
        pre, env = [], self.regs()
        for i, f in enumerate(srcs):
            if f in dict(inst._fields):
                pre.append(f"S{i}={self.read_operand(self.field(inst, f), ob.get(f, 32))}")
                env[f"S{i}"] = ("u", ob.get(f, 32))
        post = []
        if dst:
            o, bits = self.field(inst, dst), ob.get(dst, 32)
            env["D0"] = ("u", bits)
            pre.append(f"D0={self.read_operand(o, bits)}")
            if ob.get(dst) is not None or dst in ob:
                post = self.write_scalar(o, bits, "D0")
            post = post or self.write_scalar(o, bits, "D0")
        env["PC"] = ("u", 64)
        pre.append(f"PC={pc}")
        out = self.salu(name, env, pre, post, pc, size)
        if re.search(r"\bPC=", "\n".join(out[len(pre) :])) is None:
            out = [x for x in out if x != f"PC={pc}"]
        return out

    def format_SOP1(self, inst, name, pc, size):
        if name in ("S_SWAPPC_B64", "S_SETPC_B64", "S_GETPC_B64"):
            self.ends = name != "S_GETPC_B64"
            r = [f"t0={self.read_operand(self.field(inst, 'ssrc0'), 64)}"] if name != "S_GETPC_B64" else []
            if name != "S_SETPC_B64":
                r += self.write_scalar(self.field(inst, "sdst"), 64, str(pc + size))
            return r + (["w.pc=t0"] if r and name != "S_GETPC_B64" else [])
        if name == "S_BARRIER_SIGNAL":
            self.ends = True
            return self.barrier(self.field(inst, "ssrc0"), "w.signal()")
        if "BARRIER" in name or "SENDMSG" in name or name in ("S_ALLOC_VGPR", "S_SLEEP_VAR"):
            raise Unsupported(name)
        return self.scalar(inst, name, pc, size, ["ssrc0"], "sdst")

    def barrier(self, which, code):
        """The barrier of the workgroup is number -1: the constant 193 of an operand, 0xffff of an immediate."""
        if which not in (193, 0xFFFF):
            raise Unsupported(f"named barrier {which}")
        return [code]

    def format_SOP2(self, inst, name, pc, size):
        return self.scalar(inst, name, pc, size, ["ssrc0", "ssrc1"], "sdst")

    def format_SOPC(self, inst, name, pc, size):
        return self.scalar(inst, name, pc, size, ["ssrc0", "ssrc1"], None)

    def format_SOPK(self, inst, name, pc, size):
        if name in NOPS:
            return None
        o, imm = self.field(inst, "sdst"), self.field(inst, "simm16")
        if name.startswith("S_WAITCNT_"):
            return self.wait({"VSCNT": "store", "VMCNT": "load", "LGKMCNT": "lds"}.get(name[10:]), imm, pc)
        if "REG_B32" in name or "IMM32_B32" in name:
            return self.hardware_register(name, o, imm)
        if name == "S_CALL_B64":
            self.ends = True
            return self.write_scalar(o, 64, str(pc + size)) + [
                f"w.pc={pc + 4 + 4 * (imm - 65536 if imm >> 15 else imm)}"
            ]
        cmp = "CMPK" in name
        destination = self.read_operand(o, 32)
        # CDNA text: the immediate is S0, or S1 of a compare
        first = destination if cmp or not self.cdna else imm
        pre = [f"D0={destination}", f"S0={first}", f"SIMM16={imm}"]
        pre.append(f"S1={imm}")
        return self.salu(
            name, self.regs(S0=32, S1=32, D0=32), pre, [] if cmp else self.write_scalar(o, 32, "D0"), pc, size
        )

    def hardware_register(self, name, o, imm):
        """s_getreg and s_setreg: MODE keeps what is written, everything else reads as 0."""
        reg, lo, n = imm & 63, imm >> 6 & 31, (imm >> 11 & 31) + 1
        mask = (1 << n) - 1
        if name.startswith("S_GETREG"):
            return self.write_scalar(o, 32, f"(w.mode>>{lo}&{mask})" if reg == 1 else "0")
        if reg != 1:
            return None
        value = str(self.lit) if "IMM32" in name else f"s[{o}]"
        return [f"w.mode=w.mode&{~(mask << lo)}|({value}&{mask})<<{lo}"]

    def wait(self, counter, most, pc):
        """Stay here until at most `most` operations of the counter are outstanding."""
        if counter is None or not self.weak:
            return None
        self.ends = True
        return [f"if not w.wait({counter!r},{most}): w.pc={pc}"]

    def waits(self, pairs, pc):
        if not self.weak:
            return None
        self.ends = True
        return [f"if not ({' and '.join(f'w.wait({c!r},{m})' for c, m in pairs)}): w.pc={pc}"]

    def waitcnt(self, imm, pc):
        """The fields of s_waitcnt: none of them waits at its largest value."""
        if self.cdna:
            vm, lgkm, most = imm & 15 | imm >> 10 & 48, imm >> 8 & 15, (63, 15)
        else:
            vm, lgkm, most = imm >> 10 & 63, imm >> 4 & 63, (63, 63)
        pairs = [(c, n) for c, n, m in (("load", vm, most[0]), ("lds", lgkm, most[1])) if n < m]
        return self.waits(pairs, pc) if pairs else None

    # gfx12 has a counter for each kind; sampling and ray tracing have none outstanding here
    SPLIT = {
        "S_WAIT_LOADCNT": ("load",),
        "S_WAIT_STORECNT": ("store",),
        "S_WAIT_DSCNT": ("lds",),
        "S_WAIT_KMCNT": ("scalar",),
        "S_WAIT_LOADCNT_DSCNT": ("load", "lds"),
        "S_WAIT_STORECNT_DSCNT": ("store", "lds"),
        "S_WAIT_SAMPLECNT": (),
        "S_WAIT_BVHCNT": (),
        "S_WAIT_EXPCNT": (),
        "S_WAIT_ALU": (),
    }

    def format_SOPP(self, inst, name, pc, size):
        imm = self.field(inst, "simm16")
        if name == "S_WAITCNT":
            return self.waitcnt(imm, pc)
        if name in self.SPLIT:
            names = self.SPLIT[name]
            counts = (imm >> 8 & 63, imm & 63) if len(names) == 2 else (imm,)
            return self.waits(list(zip(names, counts)), pc) if names else None
        if name == "S_DENORM_MODE":
            return [f"w.mode=w.mode&~0xf0|{(imm & 15) << 4}"]
        if name == "S_ROUND_MODE":
            return [f"w.mode=w.mode&~15|{imm & 15}"]
        if name in NOPS:
            return None
        self.ends = True
        tgt = pc + 4 + 4 * (imm - 65536 if imm >> 15 else imm)
        if name == "S_ENDPGM":
            return ["w.state=2"]
        if name == "S_BARRIER":
            return ["w.signal(); w.await_barrier()"]
        if name == "S_BARRIER_WAIT":
            return self.barrier(imm, "w.await_barrier()")
        if name == "S_BRANCH":
            return [f"w.pc={tgt}"]
        if name in ("S_TRAP", "S_SETHALT"):
            return [f"raise EmuError('{name.lower()} {imm} at pc {hex(pc)}')"]
        c = {
            "S_CBRANCH_SCC0": "not w.scc",
            "S_CBRANCH_SCC1": "w.scc",
            "S_CBRANCH_VCCZ": "not w.vcc()",
            "S_CBRANCH_VCCNZ": "w.vcc()",
            "S_CBRANCH_EXECZ": "not w.exec()",
            "S_CBRANCH_EXECNZ": "w.exec()",
        }.get(name)
        if c is None:
            raise Unsupported(name)
        return [f"if {c}: w.pc={tgt}"]

    def format_SMEM(self, inst, name, pc, size):
        if name in NOPS or "PREFETCH" in name:
            return None
        d = self.field(inst, "sdata")
        if name in ("S_MEMTIME", "S_MEMREALTIME"):
            return self.scalar_load(f"c=[{d},w.gpu.steps,2]", d, 2, pc, "time")
        m = re.fullmatch(r"S_LOAD_(?:B(\d+)|DWORD(?:X(\d+))?|([IU])(8|16))", name)
        if not m:
            raise Unsupported(name)
        f = dict(inst._fields)
        g = lambda x: self.field(inst, x)
        if m[3]:
            n, sign = int(m[4]) // 8, m[3] == "I"
        else:
            n, sign = int(m[1]) // 8 if m[1] else 4 * int(m[2] or 1), False
        bits = 24 if "ioffset" in f else 21
        off = g("ioffset" if "ioffset" in f else "offset")
        off -= (1 << bits) if off >> bits - 1 else 0
        if self.cdna:
            so = self.read_operand(g("soffset"), 32) if g("soffset_en") else "0"
            off = off if g("imm") else 0
        else:
            so = self.read_operand(g("soffset"), 32)
        sb = g("sbase") * 2
        address = f"(s[{sb}]|s[{sb + 1}]<<32)+{off}+{so}" + ("" if n < 4 else "&~3")
        return self.scalar_load(f"a={address}", d, n, pc, "sign_extend" if sign else "")

    def scalar_load(self, address, d, n, pc, how):
        """A scalar load, complete at once, or when its counter says so."""
        k = max(1, n // 4) if how != "time" else n
        if how == "time":
            address, value = "a=0", "w.gpu.steps"
        else:
            value = "x" if how != "sign_extend" else f"sign_extend(x,{8 * n})"
        write = [f"s[{d + i}]={value}>>{32 * i}&M32" for i in range(k)]
        if not self.weak:
            return [f"w.at={pc}", address] + ([] if how == "time" else [f"x=w.ld(a,{n})"]) + write
        self.ends = True
        body = ["s=w.s"] + ([] if how == "time" else [f"x=ld(c,{n})"]) + write
        op = self.operation("scalar", ("scalar" if self.arch == "rdna4" else "lds",), body)
        return [address, f"w.issue({op},a)"]
