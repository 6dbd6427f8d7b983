"""Vector memory instructions: global, flat, scratch and LDS, and the cache controls.

In the strong memory mode an instruction is one loop over lanes. In the weak mode it is split: what it addresses and stores is
gathered when it issues, and the access itself is an `Operation` that the machine performs later.
"""

import re

from .lanewise import live, read_exec
from .numeric import M32, M64, Unsupported
from .operands import Operands
from .outstanding import Operation
from .parallel import Parallel, Refused, number, translate, without_unread
from .pseudocode import Translator

L0, L1, L2, DEVICE = range(4)
FLOAT_ATOMIC = re.compile(r"(?:ATOMIC|DS)_(ADD|MIN|MAX)(?:_NUM)?(?:_RTN)?_F(32|64)")

STORE = re.compile(r"\s*MEM\[ADDR\]\.[bu]32\s*=\s*(V?DATA)(?:\[31 : 0\]|\.[bu]32)?;?\s*")


class MemoryInstructions(Operands):
    """Python source for the memory formats."""

    def strip(self, p):
        """The text without the address calculation, which the emulator does itself: `MEM[addr` is `MEM[ADDR`."""
        return re.sub(r"addr = Calc\w+\([^)]*\);?\n?", "", p).replace("MEM[addr", "MEM[ADDR")

    def redirect(self, line, kind, with_global):
        """Loads and stores of a lane that may be of another memory than the global one."""
        door = lambda name: f"{name}," if with_global else ""
        line = re.sub(r"\bld\(", f"w.{kind}_load(l,{door('ld')}", line)
        return re.sub(r"\bst\(", f"w.{kind}_store(l,{door('st')}", line)

    def atomic_text(self, name):
        """The text of a memory instruction, float atomics in one form.

        Minimum and maximum ignore a NaN: the older texts only compare, but the newer ones, and LLVM, which makes them of its
        minnum and maxnum, say so. The add of f32 in L2 takes subnormals, in memory and in the operand, for zeros, by the ISA
        documents of RDNA3 (13.2), CDNA3 (10.3.1) and CDNA4 (9.2.2); by that of RDNA4 (13.2) it does not, and one in LDS
        follows the mode register, which LLVM sets to keep them. Old values are returned as bits.
        """
        m = FLOAT_ATOMIC.search(name)
        if m:
            n = m[2]
            a, b = f"MEM[ADDR].f{n}", f"DATA.f{n}"
            value = f"{a} + {b}" if m[1] == "ADD" else f"v_{m[1].lower()}_f{n}({a}, {b})"
            if m[1] == "ADD" and n == "32" and self.arch != "rdna4" and not name.startswith("DS"):
                value = f"flush({a}) + flush({b})"
            return f"tmp = MEM[ADDR].b{n}; MEM[ADDR].f{n} = {value}; RETURN_DATA.b{n} = tmp"
        text = self.strip(self.text_of(name))
        if "PK_ADD" in name:  # some texts leave the type out
            text = re.sub(r"\bDATA;", "DATA.b32;", re.sub(r"MEM\[ADDR\](?!\.)", "MEM[ADDR].b32", text))
            text = re.sub(r"RETURN_DATA = tmp", "RETURN_DATA.b32 = tmp", text)
        return text

    def dwords(self, r, n):
        return "(" + "|".join(f"v[{r + i}][l]" + (f"<<{32 * i}" if i else "") for i in range(n)) + ")"

    def operation(self, kind, counters, body, reach=L0, width=4, level=()):
        """Keeps an operation for the weak mode; `body` is what performs it, as `perform(w, c, ld, st)`."""
        perform = self.function("perform", "w,c,ld,st", body or ["pass"])
        self.name_count += 1
        name = f"op{self.name_count}"
        self.constants[name] = Operation(kind, counters, perform, reach, width, level, self.text)
        return name

    def memop(self, inst, name, addr, kind, datareg, data2reg, ret, text, reach, extra=()):
        widths = self.widths(inst)
        atomic = "ATOMIC" in name
        load = "LOAD" in name or "_READ" in name
        given = next((widths[k] for k in ("data", "data0", "vsrc", "vdata") if k in widths), 32)
        dn = (given + 31) // 32
        # the width of a returned 64-bit value comes from the text: the operand table says 32 for GLOBAL_ATOMIC_CMPSWAP_B64
        rn = 2 if re.search(r"RETURN_DATA\.[a-z]+64", text) else (widths.get("vdst", 32) + 31) // 32
        env = self.regs(
            ADDR=64,
            DATA=32 * dn,
            DATA2=32 * dn,
            VDATA=128,
            RETURN_DATA=32 * rn,
            OFFSET=16,
            OFFSET0=8,
            OFFSET1=8,
            ADDR_BASE=32,
        )
        env["laneId"] = ("u", 32)
        d = self.field(inst, "vdst")
        gather, names, body = list(addr), ["l", "ADDR"], []
        if re.search(r"\bDATA\b", text):
            gather.append(f"DATA={self.dwords(datareg, dn)}")
            names.append("DATA")
        if re.search(r"\bDATA2\b", text):
            gather.append(f"DATA2={self.dwords(data2reg, dn)}")
            names.append("DATA2")
        for x in ("VDATA", "RETURN_DATA"):
            if not re.search(rf"\b{x}\b", text):
                continue
            if load or x == "RETURN_DATA":
                body.append(f"{x}={self.dwords(d, rn) if load else 0}")
            else:
                gather.append(f"VDATA={self.dwords(datareg, dn)}")
                names.append("VDATA")
        whole = re.fullmatch(r"\s*(?:VDATA|RETURN_DATA)\[31 : 0\]\s*=\s*MEM\[ADDR\]\.[bu]32;?\s*", text)
        if whole and load:  # the commonest instruction, without reading what it overwrites
            body = [f"v[{d}][l]=ld(ADDR,4)"]
        else:
            t = Translator(text, env, True)
            b = t.run()
            body += [f"{q}=0" for q in sorted(t.loc)] + b
            if ret:
                var = "VDATA" if "VDATA" in text else "RETURN_DATA"
                body += [f"v[{d + i}][l]={var}>>{32 * i}&M32" for i in range(rn)]
        body = live(body, ())
        if kind == "private":
            body = [self.redirect(x, "private", False) for x in body]
        if kind == "flat":
            body = [self.redirect(x, "flat", True) for x in body]
        mask = None if load or kind == "private" else "w.shuffled(ex)"
        self.ends = True
        accesses = set(re.findall(r"\b(?:ld|st)\([^,]*,\d+", "\n".join(body)))
        gathered = self.gathered(list(extra) + gather, kind)
        if not self.weak and kind in ("global", "lds") and gathered:
            ld, st = ("w.wg.lds_load", "w.wg.lds_store") if kind == "lds" else ("w.ld", "w.st")
            region = "w.wg.region" if kind == "lds" else "w.gpu.memory.region"
            lines, values = gathered
            if whole and load:
                return lines + [f"r[{d}]=words.load({region},{ld},{values['ADDR']},r[{d}],ex)"]
            stored = STORE.fullmatch(text)
            if stored:
                return lines + [f"words.store(w,{region},{st},{values['ADDR']},{values[stored[1]]},ex)"]
            if mask and accesses == {"ld(ADDR,4", "st(ADDR,4"}:
                ld = "w.atomic_ld" if atomic else ld
                return self.word_atomic(lines, values, body, (region, ld, st))
        per_lane, lists = self.per_lane(gathered, gather)
        if not self.weak:
            ld, st = {"lds": ("w.wg.lds_load", "w.wg.lds_store")}.get(
                kind, ("w.atomic_ld" if atomic else "w.ld", "w.st")
            )
            start = lists if gathered else [read_exec(self.ws)] + list(extra)
            start += [x for x in extra if gathered and not x.startswith("sb=")]
            loop = [f"for l in {mask or 'lanes(ex)'}:"] + ["    " + x for x in per_lane + body]
            return start + [f"ld={ld}; st={st}"] + loop
        counters = self.counters(kind, load, atomic and ret)
        perform = (
            [x for x in extra if not x.startswith("sb=")]
            + [f"for {','.join(names)} in c:"]
            + ["    " + x for x in body]
        )
        what = "atomic" if atomic else "load" if load else "store"
        op = self.operation(
            what if kind in ("global", "flat") else kind,
            counters,
            perform,
            reach,
            4 * max(rn, dn),
            ("flat",) if kind == "flat" else (),
        )
        start = lists if gathered else [read_exec(self.ws)] + [x for x in extra if x.startswith("sb=")]
        loop = [f"for l in {mask or 'lanes(ex)'}:"] + [
            "    " + x for x in per_lane + [f"c.append(({','.join(names)}))"]
        ]
        return start + ["c=[]"] + loop + [f"w.issue({op},c)"]

    def gathered(self, lines, kind):
        """Addresses and data of all lanes: the statements that make them, and the packed values by name; nothing if they are too wide."""
        p = Parallel(self.ws, self.constants)
        try:
            translate(p, lines)
            values = {}
            for name in ("ADDR", "DATA", "DATA2", "VDATA"):
                if name in p.names:
                    v = p.conjunction("&", p.names[name], number(M32 if kind == "lds" and name == "ADDR" else M64))
                    values[name] = p.keep(p.widen(v)).text
                    if v.high > M64:
                        return None
        except Refused:
            return None
        return [read_exec(self.ws)] + without_unread(p.out, values.values()), values

    def per_lane(self, gathered, gather):
        """The statements that give a lane its address and data, and those that make the lists they take them from."""
        if not gathered:
            return gather, []
        lines, values = gathered
        return [f"{n}={n}_[l]" for n in values], lines + [f"{n}_=unpack64({x})" for n, x in values.items()]

    def word_atomic(self, lines, values, body, doors):
        """An atomic on 32-bit words, with the buffer looked up once."""
        body = [re.sub(r"\bst\(ADDR,4,(.*)\)$", r"W[i]=\1", x).replace("ld(ADDR,4)", "W[i]") for x in body]
        data = {n: x for n, x in values.items() if n != "ADDR"}
        return (
            lines
            + [f"W,i_=words.slots({','.join(doors)},{values['ADDR']},ex)"]
            + [f"{n}_=unpack64({x})" for n, x in data.items()]
            + ["for l in w.shuffled(ex):", "    i=i_[l]"]
            + [f"    {n}={n}_[l]" for n in data]
            + ["    " + x for x in body]
        )

    def counters(self, kind, load, returns):
        """The counters an operation is outstanding in. gfx9 has one for vector loads and stores."""
        vector = "load" if load or returns or self.cdna else "store"
        return {"lds": ("lds",), "flat": (vector, "lds")}.get(kind, (vector,))

    def cross_lane(self, compute, d):
        """An instruction that goes through the LDS hardware without touching its memory; `compute` makes pairs of lane and value."""
        write = ["for l,x in c:", f"    v[{d}][l]=x"]
        self.ends = self.weak
        if not self.weak:
            return compute + write
        return compute + [f"w.issue({self.operation('lds', ('lds',), write)},c)"]

    def format_DS(self, inst, name, pc, size):
        f = dict(inst._fields)
        g = lambda x: self.field(inst, x) if x in f else 0
        if g("gds"):
            raise Unsupported("gds")
        off = g("offset0") | g("offset1") << 8
        if name == "DS_NOP":
            return None
        if name in ("DS_BPERMUTE_B32", "DS_PERMUTE_B32"):
            a, d, x = g("addr"), g("vdst"), g("data0")
            to = f"(v[{a}][l]+{off}>>2&m)|(l&~m)"
            head = ["ex=w.exec()", f"q=v[{x}]; m={self.ws - 1 if self.cdna else 31}"]
            if "BP" in name:
                return self.cross_lane(
                    head + [f"c=[(l,q[{to}] if ex>>({to})&1 else 0) for l in lanes(ex)]"], d
                )
            return self.cross_lane(
                head
                + ["r=[0]*64", "for l in lanes(ex):", f"    r[{to}]=q[l]", "c=[(l,r[l]) for l in lanes(ex)]"],
                d,
            )
        if name == "DS_SWIZZLE_B32":
            k = (
                f"(l&~3)|({off}>>2*(l&3)&3)"
                if off >> 15
                else f"(l&~31)|((l&{off & 31}|{off >> 5 & 31})^{off >> 10 & 31})"
            )
            return self.cross_lane(
                [
                    "ex=w.exec()",
                    f"q=v[{g('addr')}]",
                    f"c=[(l,q[{k}] if ex>>({k})&1 else 0) for l in lanes(ex)]",
                ],
                g("vdst"),
            )
        if (
            name.startswith(("DS_GWS", "DS_ORDERED", "DS_APPEND", "DS_CONSUME", "DS_BVH", "DS_BPERMUTE_FI"))
            or "ADDTID" in name
        ):
            raise Unsupported(name)
        p = self.atomic_text(name)
        # some texts add the offset themselves
        addoff = "OFFSET" not in p
        load = "LOAD" in name or "_READ" in name
        return self.memop(
            inst,
            name,
            [f"ADDR=v[{g('addr')}][l]" + (f"+{off}" if addoff else "")],
            "lds",
            g("data0"),
            g("data1"),
            load or "_RTN" in name,
            p,
            L0,
            [f"OFFSET={off}; OFFSET0={g('offset0')}; OFFSET1={g('offset1')}"],
        )

    def format_GLOBAL(self, inst, name, pc, size, kind="global"):
        f = dict(inst._fields)
        g = lambda x: self.field(inst, x) if x in f else 0
        if name in ("GLOBAL_INV", "GLOBAL_WB", "GLOBAL_WBINV"):
            return self.cache_control(name, g("scope"))
        if "ADDTID" in name or "LDS" in name or "_TR_" in name or "BLOCK" in name or "ORDERED" in name:
            raise Unsupported(name)
        if g("acc"):
            raise Unsupported("AGPR memory operand")
        bits = 24 if "ioffset" in f else 13
        off = g("ioffset" if "ioffset" in f else "offset")
        off -= (1 << bits) if off >> bits - 1 else 0
        a, data = g("vaddr" if "vaddr" in f else "addr"), g("vsrc" if "vsrc" in f else "data")
        sa = g("saddr") if "saddr" in f else 127
        # the SADDR "off" encoding is 0x7f before gfx11 and NULL (124) from gfx11
        nos = sa == 127 or (not self.cdna and sa == 124)
        extra = []
        if kind == "private":
            sve = g("sve") if "sve" in f else 0
            t = [f"ADDR={off}" + ("" if nos else f"+s[{sa}]") + (f"+v[{a}][l]" if sve else "") + "&M32"]
        elif nos or kind == "flat" and self.arch != "rdna4":
            t = [f"ADDR=(v[{a}][l]|v[{a + 1}][l]<<32)+{off}"]
        else:
            extra = [f"sb=(s[{sa}]|s[{sa + 1}]<<32)+{off}"]
            t = [f"ADDR=sb+v[{a}][l]"]
        atomic = "ATOMIC" in name
        returns = g("sc0") if self.cdna else g("th") & 1 if self.arch == "rdna4" else g("glc")
        ret = "LOAD" in name or atomic and bool(returns)
        text = self.atomic_text(name)
        return self.memop(
            inst, name, t, kind, data, 0, ret, text, self.reach(g, atomic, "STORE" in name), extra
        )

    def reach(self, g, atomic, store):
        """The nearest level of memory at which an access may take place, from its cache-policy bits."""
        if self.cdna:
            return DEVICE if atomic or g("sc1") else L2 if store else L0
        if self.arch == "rdna4":
            if store:
                return L2  # gfx12.0 acknowledges stores at L2 whatever their scope
            return (L0, L1, L2, L2)[g("scope")]
        return L2 if atomic or store or g("glc") else L0

    def format_FLAT(self, inst, name, pc, size):
        return self.format_GLOBAL(inst, name, pc, size, "flat")

    def format_SCRATCH(self, inst, name, pc, size):
        return self.format_GLOBAL(inst, name, pc, size, "private")

    format_VGLOBAL, format_VFLAT, format_VSCRATCH = format_GLOBAL, format_FLAT, format_SCRATCH

    def cache_control(self, name, scope):
        """Invalidates and write-backs of gfx12: invalidates act on the caches below their scope, write-backs are complete in L2."""
        if not self.weak:
            return None
        self.ends = True
        out = []
        if name != "GLOBAL_WB":
            out.append(
                f"w.issue({self.operation('invalidate', ('load',), [], level=(L0,) if scope else ())},())"
            )
        if name != "GLOBAL_INV":
            out.append(f"w.issue({self.operation('nothing', ('store',), [])},())")
        return out

    def buffer_control(self, op, sc0, sc1):
        """buffer_gl0_inv and buffer_gl1_inv of gfx11, buffer_inv and buffer_wbl2 of gfx94x."""
        if not self.weak:
            return None
        self.ends = True
        if not self.cdna:
            return [f"w.issue({self.operation('invalidate', (), [], level=(L0,) if op == 43 else (L1,))},())"]
        if op == 41:
            return [
                f"w.issue({self.operation('invalidate', (), [], level=(L0, L2) if sc1 else (L0,) if sc0 else ())},())"
            ]
        return [f"w.issue({self.operation('writeback' if sc1 else 'nothing', ('load',), [])},())"]
