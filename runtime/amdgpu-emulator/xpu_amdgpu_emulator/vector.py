"""Vector arithmetic: one operation on every active lane."""

import re

from .lanewise import lane_loop
from .numeric import M32, Unsupported, to_bits
from .operands import Operands
from .packed import SLOT
from .parallel import parallel_loop
from .pseudocode import Translator
from .tables import F_INLINE, PYOPS


class VectorInstructions(Operands):
    """Python source for the vector formats."""

    def loop(self, pre, body, post):
        """`pre`, then `body` for every active lane, then `post`: for all lanes at once, or as a loop where that cannot be."""
        return parallel_loop(pre, body, post, self.ws, self.constants) or lane_loop(pre, body, post, self.ws)

    def one_lane(self, source):
        """Of the lane `l` alone, what `source` reads."""
        return re.sub(r"v\[(\d+)\]\[l\]", rf"(r[\1]>>{SLOT}*l&M32)", source)

    def mods(self, nm, bits, neg, ab, isf):
        r = []
        if ab:
            r.append(f"{nm}&={hex((1 << (bits - 1)) - 1)}")
        if neg:
            r.append(f"{nm}^={hex(1 << (bits - 1))}")
        return r

    def vector(self, inst, name, srcs, dst, cls):
        flds = dict(inst._fields)
        ob = self.widths(inst)
        pre, env, body = [], self.regs(), []
        g = lambda f: self.field(inst, f) if f in flds else 0
        neg, ab, opsel, dpp = g("neg"), g("abs"), (g("opsel") if cls in ("VOP3",) else 0), "dpp" in flds
        mk = 64 if self.ws == 64 else 32
        vccsrc = None
        for i, f in enumerate(srcs):
            if f not in flds:
                continue
            key = f if f in ob else f[1:] if f[1:] in ob else f
            bits = ob.get(key, 32)
            if i == 2 and ("CNDMASK" in name or "_CO_CI_" in name or "_ADDC_" in name or "_SUBB" in name):
                vccsrc = self.read_operand(self.field(inst, f), mk)
                continue
            if key not in ob and (ob or i == 2):
                continue
            hi = opsel >> i & 1
            o = self.field(inst, f) + (256 if type(flds[f]).__name__ == "VGPRField" else 0)
            if "src0_sel" in flds:  # SDWA: byte or word of a register, optionally sign-extended
                if g(f"s{i}"):
                    o -= 256
                sel = g(f"src{i}_sel")
                n, sh = (8, 8 * sel) if sel < 4 else (16, 16 * (sel - 4)) if sel < 6 else (32, 0)
                x = f"({self.read_operand(o, 32)}>>{sh}&{hex((1 << n) - 1)})"
                if g(f"src{i}_sext"):
                    x = f"(sign_extend({x},{n})&M32)"
                body.append(f"S{i}={x}")
                body += self.mods(f"S{i}", max(16, min(n, bits)), g(f"src{i}_neg"), g(f"src{i}_abs"), 1)
                if bits < 32:
                    body.append(f"S{i}&={hex((1 << bits) - 1)}")
                env[f"S{i}"] = ("u", bits)
                continue
            if dpp and i == 0:
                body += [
                    f"k,ok=w.dpp(l,{g('dpp')},ex,{g('fi')})",
                    f"if not ok and not {g('bc')}: continue",
                    "S0=Q0[k] if ok else 0",
                ]
                pre.append(f"Q0=v[{o - 256}][:]")  # the loop may write it
                if (g("row_mask"), g("bank_mask")) != (15, 15):
                    body.insert(
                        0, f"if not ({g('row_mask')}>>(l>>4)&1 and {g('bank_mask')}>>((l>>2)&3)&1): continue"
                    )
                for q in self.mods("S0", 32, g("src0_neg") or neg & 1, g("src0_abs") or ab & 1, 1):
                    body.append(q)
            else:
                src = self.read_operand(o, 32 if hi else bits)
                src = f"({src}>>16)" if hi else src
                uni = "[l]" not in src
                (pre if uni else body).append(f"S{i}={src}")
                for q in self.mods(f"S{i}", bits, neg >> i & 1, ab >> i & 1, 1):
                    (pre if uni else body).append(q)
            env[f"S{i}"] = ("u", bits)
        if dpp and "dpp" in flds and len(srcs) > 1 and (g("src1_neg") or g("src1_abs")):
            body += self.mods("S1", 32, g("src1_neg"), g("src1_abs"), 1)
        if any(x in name for x in ("FMAAK", "FMAMK", "MADAK", "MADMK")):
            pre.append(f"SIMM32={self.lit}")
        pre.append("VCCr=" + (vccsrc or "w.vcc()"))
        return pre, body, env, ob, g

    def alu(self, name, env, prefix=None):
        base = re.sub(r"_E(32|64)$", "", name)
        if base in PYOPS:
            return PYOPS[base].split("; "), {"VCC"} if "mVCC" in PYOPS[base] else set(), set()
        env = dict(env)
        env["VCC"] = (("u", 64), "VCCr")
        env["S"] = ("arr", ("u", 32), "(S0,S1,S2)")
        t = Translator(self.text_of(name), env, True)
        body = t.run()
        return body, t.masks, t.loc

    def write_vector(self, inst, o, bits, hi=False, old=None):
        if o < 256:
            raise Unsupported(f"{self.text}: a scalar destination")
        r = o - 256
        if bits == 16 and not self.cdna:
            if self.half8 and r >= 128:
                r -= 128
                hi = True
            return [
                f"v[{r}][l]="
                + (f"v[{r}][l]&0xffff|(D0&0xffff)<<16" if hi else f"v[{r}][l]&0xffff0000|D0&0xffff")
            ]
        if bits <= 32:
            return [f"v[{r}][l]=D0&M32"]
        return [f"v[{r + i}][l]=D0>>{32 * i}&M32" for i in range(bits // 32)]

    def finish(self, name, g, bits, body):
        om, cl = g("omod"), g("clmp")
        n = bits
        m = re.match(r"V_(ADD|SUB|SUBREV)(?:_NC)?_([UI])(16|32)", name)
        if cl and m:  # saturating integer add and subtract
            n, i = int(m[3]), m[2] == "I"
            lo, hi = (-(1 << n - 1), (1 << n - 1) - 1) if i else (0, (1 << n) - 1)
            a, c = (f"sign_extend(S0,{n})", f"sign_extend(S1,{n})") if i else (f"(S0&{hi})", f"(S1&{hi})")
            body.append(
                f"D0=min(max({c + '-' + a if m[1] == 'SUBREV' else a + ('-' if m[1] == 'SUB' else '+') + c},{lo}),{hi})&{(1 << n) - 1}"
            )
            return
        if (om or cl) and not re.search(r"_F(16|32|64)", name):
            raise Unsupported(f"{name} with clamp/omod")
        if om:
            body.append(f"D0=to_bits(rounded(from_bits(D0,{n})*{[1, 2.0, 4.0, 0.5][om]},{n}),{n})")
        if cl:
            body.append(
                f"D0=to_bits(min(max(from_bits(D0,{n}),0.0),1.0) if from_bits(D0,{n})==from_bits(D0,{n}) else 0.0,{n})"
            )

    def format_VOP1(self, inst, name, pc, size):
        if name in ("V_NOP", "V_PIPEFLUSH"):
            return None
        d, s0 = (
            self.field(inst, "vdst"),
            self.field(inst, "src0")
            if "vsrc0" not in dict(inst._fields)
            else self.field(inst, "vsrc0") + 256,
        )
        if "s0" in dict(inst._fields) and self.field(inst, "s0"):
            s0 -= 256
        if name.startswith("V_READFIRSTLANE"):
            return [
                "ex=w.exec()",
                "l=lanes(ex)[0] if ex else 0",
                f"x={self.one_lane(self.read_operand(s0, 32))}",
            ] + self.write_scalar(d, 32, "x")
        if name == "V_PERMLANE64_B32":
            if self.ws == 32:
                return None
            return ["ex=w.exec()", f"q=v[{s0 - 256}][:]", "for l in lanes(ex):", f"    v[{d}][l]=q[l^32]"]
        if name.startswith("V_SWAP"):
            a, b = d, s0 - 256
            return self.loop([], [f"x=v[{a}][l]", f"v[{a}][l]=v[{b}][l]", f"v[{b}][l]=x"], [])
        if name.startswith("V_ACCVGPR_MOV"):
            raise Unsupported(name)
        return self.valu(inst, name, ["vsrc0" if "vsrc0" in dict(inst._fields) else "src0"], "VOP1")

    def format_VOP2(self, inst, name, pc, size):
        return self.valu(inst, name, ["vsrc0" if "vsrc0" in dict(inst._fields) else "src0", "vsrc1"], "VOP2")

    def first_source(self, inst):
        """With DPP, the register that the lanes are taken from has the place of a literal."""
        return "vsrc0" if "vsrc0" in dict(inst._fields) else "src0"

    def format_VOP3(self, inst, name, pc, size):
        d = self.field(inst, "vdst")
        if name.startswith(("V_READLANE", "V_WRITELANE")):
            lane = self.read_operand(self.field(inst, "src1"), 32)
            if name.startswith("V_READLANE"):
                return [
                    f"l={lane}&{self.ws - 1}",
                    f"x={self.one_lane(self.read_operand(self.field(inst, 'src0'), 32))}",
                ] + self.write_scalar(d, 32, "x")
            value = self.read_operand(self.field(inst, "src0"), 32)
            return [f"l={SLOT}*({lane}&{self.ws - 1})", f"r[{d}]^=((r[{d}]>>l&M32)^{value})<<l"]
        if "_CMP" in name:
            return self.vcmp(inst, name, [self.first_source(inst), "src1"], d)
        if name in ("V_PERMLANE16_B32", "V_PERMLANEX16_B32"):
            g = lambda f: self.field(inst, f)
            fi, bc = g("opsel") & 1, g("opsel") >> 1 & 1
            return [
                "ex=w.exec()",
                f"q=list(v[{g('src0') - 256}]); m={self.read_operand(g('src1'), 32)}|{self.read_operand(g('src2'), 32)}<<32",
                "for l in lanes(ex):",
                f"    k=((l&~15)^{16 if 'X16' in name else 0})|(m>>4*(l&15)&15)",
                f"    if {fi} or ex>>k&1: v[{d}][l]=q[k]",
                f"    elif {bc}: v[{d}][l]=0",
            ]
        if name.startswith("V_PERMLANE"):
            raise Unsupported(name)
        return self.valu(inst, name, [self.first_source(inst), "src1", "src2"], "VOP3")

    def format_VOPC(self, inst, name, pc, size):
        fl = dict(inst._fields)
        d = self.field(inst, "sdst") if "sd" in fl and self.field(inst, "sd") else 106
        return self.vcmp(inst, name, ["vsrc0" if "vsrc0" in fl else "src0", "vsrc1"], d)

    def vcmp(self, inst, name, srcs, d):
        pre, body, env, ob, g = self.vector(inst, name, srcs, None, "VOP3" if srcs[1] == "src1" else "VOPC")
        b, masks, loc = self.alu(name, env)
        n = 64 if self.ws == 64 else 32
        x = "_CMPX" in name
        post = []
        if x:
            post.append("w.set_exec(m%s)" % ("EXEC" if "EXEC" in masks else "D0"))
        if not x or self.cdna:
            post += self.write_scalar(d, n, "mD0" if "D0" in masks else "mEXEC")
        return self.loop(pre + ["mD0=mEXEC=0"] + [f"{q}=0" for q in sorted(loc)], body + b, post)

    def valu(self, inst, name, srcs, cls, sdst=None):
        pre, body, env, ob, g = self.vector(inst, name, srcs, "vdst", cls)
        bits = ob.get("vdst", 32)
        env["D0"] = ("u", bits)
        env["D1"] = ("u", 64)
        b, masks, loc = self.alu(name, env)
        o = self.field(inst, "vdst") + 256
        hi = bool(cls == "VOP3" and g("opsel") >> 3 & 1)
        init = []
        if re.search(r"\bD0\b(?!=)", "\n".join(b)) or "FMAC" in name or "MAC_" in name:
            init = ["D0=" + (f"(v[{o - 256}][l]>>16)" if hi else self.read_operand(o, bits))]
        elif any("if " in x for x in b):
            init = ["D0=" + self.read_operand(o, bits)]
        body = body + init + [f"{q}=0" for q in sorted(loc) if q not in ("D0", "D1")] + b
        self.finish(name, g, bits, body)
        if "dst_sel" in dict(inst._fields) and g("dst_sel") < 6:
            sel, r = g("dst_sel"), o - 256
            n, sh = (8, 8 * sel) if sel < 4 else (16, 16 * (sel - 4))
            body.append(f"D0=(D0&{hex((1 << n) - 1)})<<{sh}")
            if g("dst_unused") == 1:
                body.append(f"D0=sign_extend(D0,{n + sh})&M32")
            if g("dst_unused") == 2:
                body.append(f"D0|=v[{r}][l]&{hex(M32 & ~(((1 << n) - 1) << sh))}")
            bits = 32
        body += self.write_vector(inst, o, bits, hi)
        post = []
        if "VCC" in masks:
            post = self.write_scalar(106 if sdst is None else sdst, 64 if self.ws == 64 else 32, "mVCC")
        if sdst is not None and "D1" in "".join(b):
            body.append("mVCC|=(D1&1)<<l")
            post = self.write_scalar(sdst, 64 if self.ws == 64 else 32, "mVCC")
        return self.loop(pre + ["mVCC=0"], body, post)

    def format_VOP3SD(self, inst, name, pc, size):
        return self.valu(
            inst, name, [self.first_source(inst), "src1", "src2"], "VOP3SD", self.field(inst, "sdst")
        )

    def format_VOP3P(self, inst, name, pc, size):
        g = lambda f: self.field(inst, f)
        ob = self.widths(inst)
        pre, body, env = [], [], self.regs()
        if name.startswith("V_ACCVGPR"):
            raise Unsupported(name)
        if any(x in name for x in ("WMMA", "MFMA", "SMFMAC", "DOT")):
            raise Unsupported(name)
        oh, neg, nh, os_ = g("opsel_hi") | g("opsel_hi2") << 2, g("neg"), g("neg_hi"), g("opsel")
        mix, pk32 = "MIX" in name, name in ("V_PK_FMA_F32", "V_PK_ADD_F32", "V_PK_MUL_F32", "V_PK_MOV_B32")
        for i in range(3):
            f = f"src{i}"
            if f not in ob:
                continue
            bits = 64 if pk32 else 32
            h = bits // 2
            hm = (1 << h) - 1
            o = g(f)
            q = self.read_operand(o, bits)
            if o in F_INLINE and not mix:
                q = str(to_bits(F_INLINE[o], h))
            body.append(f"x={q}")
            if mix:
                if neg >> i & 1 or nh >> i & 1:
                    raise Unsupported("mix with modifiers")
                body.append(f"S{i}=x")
            else:
                lo, hi = (f"x>>{h}" if os_ >> i & 1 else "x"), (f"x>>{h}" if oh >> i & 1 else "x")
                body.append(
                    f"S{i}=(({lo})&{hm}^{(neg >> i & 1) << (h - 1)})|((({hi})&{hm}^{(nh >> i & 1) << (h - 1)})<<{h})"
                )
            env[f"S{i}"] = ("u", bits)
        if mix:
            env["OPSEL"], env["OPSEL_HI"] = ("u", 3), ("u", 3)
            pre += [f"OPSEL={os_}", f"OPSEL_HI={oh}"]
        env["D0"] = ("u", 64 if pk32 else 32)
        b, masks, loc = self.alu(name, env)
        if g("clmp"):
            raise Unsupported(name + " with clamp")
        o = g("vdst") + 256
        return self.loop(
            pre + ["VCCr=0"],
            body
            + [f"D0={self.read_operand(o, 64 if pk32 else 32)}"]
            + [f"{q}=0" for q in sorted(loc) if q != "D0"]
            + b
            + self.write_vector(inst, o, 64 if pk32 else 32),
            [],
        )

    def format_VOPD(self, inst, name, pc, size):
        g = lambda f: self.field(inst, f)
        reads, bodies, writes = ["VCCr=w.vcc()"], [], []
        xd = g("vdstx")
        yd = g("vdsty") << 1 | ((xd & 1) ^ 1)
        for c, d in (("x", xd), ("y", yd)):
            nm = getattr(inst, "op" + c).name.replace("V_DUAL_", "V_")
            bodies_in = [f"S0={self.read_operand(g('src' + c + '0'), 32)}", f"S1=v[{g('vsrc' + c + '1')}][l]"]
            e = self.regs(S0=32, S1=32, D0=32)
            b, m, loc = self.alu(nm, e)
            reads += [q.replace("S0=", f"{c}0=", 1).replace("S1=", f"{c}1=", 1) for q in bodies_in] + [
                f"{c}d=v[{d}][l]"
            ]
            bodies += (
                [f"S0={c}0", f"S1={c}1", f"D0={c}d", f"SIMM32={self.lit}"]
                + [f"{q}=0" for q in sorted(loc) if q != "D0"]
                + b
                + [f"{c}r=D0&M32"]
            )
            writes.append(f"v[{d}][l]={c}r")
        return self.loop([], reads + bodies + writes, [])
