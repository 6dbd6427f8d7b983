"""AMD's per-instruction pseudocode, as text, translated to Python statements."""

import re

from .numeric import Unsupported

TOKEN = re.compile(
    r"(\d+'(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)[A-Z]*)|(\d+'[UIFB])\b|(0x[0-9a-fA-F]+[UL]*|\d+\.\d+F?|\d+[ULF]*)|"
    r"\.([a-z]+\d+)|([A-Za-z_]\w*)|(\+:|<<|>>|<=|>=|==|!=|<>|&&|\|\||\*\*|\+=|-=|[-+*/%&|^~!?:=<>()\[\]{},;.])"
)
PRECEDENCE = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<>": 6,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
    "**": 11,
}
WIDTHS = {"u": "u", "b": "u", "i": "i", "f": "f", "bf": "bf"}


def type_of(t):
    m = re.fullmatch(r"([a-z]+)(\d+)", t)
    if not m or m[1] not in WIDTHS:
        raise Unsupported(f"pseudocode type {t}")
    return WIDTHS[m[1]], int(m[2])


class Translator:
    """One instruction's pseudocode to Python statements. Registers and slices are raw unsigned ints; values carry (kind, bits)."""

    MASKDST = {"VCC", "EXEC", "D0"}

    def __init__(self, text, env, lane):
        text = re.sub(
            r"\bin\[", "in_[", re.sub(r"\bdeclare in :", "declare in_ :", re.sub(r"//[^\n]*", "", text))
        )
        text = re.sub(r"\b[A-Z_0-9]+ = lambda\(.*?\) \(.*?\);\s*\n", "", text, flags=re.S)
        self.t, pos = [], 0
        for m in TOKEN.finditer(text):
            if text[pos : m.start()].strip():
                raise Unsupported("pseudocode text " + text[pos : m.start()].strip())
            pos = m.end()
            k = m.lastindex
            self.t.append(("nlit", "cast", "num", "suf", "id", "op")[k - 1 : k][0:1] + (m[k],))
        self.p, self.env, self.lane, self.out, self.ind, self.loc, self.masks = (
            0,
            dict(env),
            lane,
            [],
            0,
            set(),
            set(),
        )

    # token helpers
    def peek(self, o=0):
        return self.t[self.p + o][1] if self.p + o < len(self.t) else None

    def kind(self):
        return self.t[self.p][0] if self.p < len(self.t) else None

    def advance(self):
        self.p += 1
        return self.t[self.p - 1][1]

    def expect(self, s):
        if self.peek() != s:
            raise Unsupported(f"pseudocode: expected {s}, got {self.peek()}")
        self.p += 1

    def emit(self, s):
        self.out.append("    " * self.ind + s)

    # value helpers
    def bits(self, v):
        s, (k, n) = v
        if k == "f":
            return f"to_bits({s},{n})"
        if k == "bf":
            return f"(to_bits({s},32)>>16)"
        return s if k == "u" else f"({s}&{hex((1 << n) - 1)})"

    def view(self, v, to):
        s, fr = v
        if fr == to:
            return s, to
        k, n = to
        b = self.bits(v)
        if k == "f":
            return f"from_bits({b},{n})", to
        if k == "bf":
            return f"from_bits(({b})<<16,32)", to
        if k == "i":
            return f"sign_extend({b},{n})", to
        return (b if fr[0] == "u" and fr[1] <= n else f"({b}&{hex((1 << n) - 1)})"), to

    def convert(self, v, to):  # numeric conversion (casts, arithmetic promotion)
        s, (k, n) = v
        tk, tn = to
        if (k, n) == to:
            return v
        if tk == "bf":
            return (f"bf16(float({s}))" if k != "bf" else s), to
        if tk == "f":
            return (f"rounded(float({s}),{tn})" if k not in "f" or tn < n else s), to
        if k in ("f", "bf"):
            return f"toint({s},{tn},{tk == 'i'})", to
        if tk == "i":
            return f"sign_extend({s},{tn})", to
        return (s if k == "u" and n <= tn else f"({s}&{hex((1 << tn) - 1)})"), to

    def wrap(self, s, ty):
        k, n = ty
        if k == "k":
            return s, ty
        if k == "f":
            return (s if n == 64 else f"rounded({s},{n})"), ty
        if k == "bf":
            return f"rounded({s},32)", ("f", 32)
        return (f"sign_extend({s},{n})" if k == "i" else f"({s}&{hex((1 << n) - 1)})"), ty

    def join(self, a, b):
        ta, tb_ = a[1], b[1]
        for x in ("f", "bf"):
            if x in (ta[0], tb_[0]):
                return ("f", max(t[1] if t[0] == "f" else 32 if t[0] == "bf" else 16 for t in (ta, tb_)))
        if ta[0] == "k":
            return tb_
        if tb_[0] == "k":
            return ta
        n = max(ta[1], tb_[1])
        return ("i" if ta[0] == tb_[0] == "i" else "u", n)

    # expressions
    def expr(self):
        c = self.bin(1)
        if self.peek() != "?":
            return c
        self.advance()
        a = self.expr()
        self.expect(":")
        b = self.expr()
        t = self.join(a, b)
        if t[0] in "fiu" and t[0] != "k":
            a, b = (
                (self.convert(a, t) if a[1][0] != "k" or t[0] == "f" else a),
                (self.convert(b, t) if b[1][0] != "k" or t[0] == "f" else b),
            )
        return f"({a[0]} if {c[0]} else {b[0]})", t

    def bin(self, lv):
        a = self.un()
        while self.kind() == "op" and PRECEDENCE.get(self.peek(), 0) >= lv:
            op = self.advance()
            b = self.bin(PRECEDENCE[op] + 1)
            if op in ("&&", "||"):
                a = f"(1 if ({a[0]}) {'and' if op == '&&' else 'or'} ({b[0]}) else 0)", ("u", 1)
            elif op in ("==", "!=", "<>", "<", "<=", ">", ">="):
                if op == "<>":
                    a = f"(1 if {a[0]}<{b[0]} or {a[0]}>{b[0]} else 0)", ("u", 1)
                else:
                    a = f"(1 if {a[0]}{op}{b[0]} else 0)", ("u", 1)
            elif op in ("<<", ">>"):
                a = self.wrap(f"({a[0]}{op}{b[0]})", a[1]) if op == "<<" else (f"({a[0]}>>{b[0]})", a[1])
            elif op == "**":
                a = (
                    (f"ldexp_(1.0,{b[0]})" if a[0] in ("2.0",) else f"pow_({a[0]},{b[0]})"),
                    a[1] if a[1][0] == "f" else ("f", 64),
                )
            else:
                t = self.join(a, b)
                if t[0] == "f" and op == "/":
                    a = self.wrap(f"fdiv({a[0]},{b[0]})", t)
                elif op == "/":
                    a = f"({a[0]}//{b[0]})", t
                else:
                    a = self.wrap(f"({a[0]}{op}{b[0]})", t)
        return a

    def un(self):
        o = self.peek()
        if self.kind() == "op" and o in "!~-+":
            self.advance()
            v = self.un()
            if o == "!":
                return f"(0 if {v[0]} else 1)", ("u", 1)
            if o == "~":
                return self.wrap(f"(~{v[0]})", v[1])
            if o == "-":
                return (f"(-{v[0]})", v[1]) if v[1][0] in "fki" else self.wrap(f"(-{v[0]})", v[1])
            return v
        return self.post(self.prim())

    def index(self, v):  # after '[': bit, bit slice
        a = self.expr()
        if self.peek() == ":":
            self.advance()
            b = self.expr()
            self.expect("]")
            w = None
            try:
                w = int(eval(a[0])) - int(eval(b[0])) + 1
            except Exception:
                pass
            if w is not None and w < 1:  # reversed slice: bit reverse
                n = 2 - w
                return f"int(format({self.bits(v)},'0{n}b')[::-1],2)", ("u", n)
            return f"(({self.bits(v)}>>{b[0]})&((1<<({a[0]}-{b[0]}+1))-1))", ("u", w or 64)
        if self.peek() == "+:":
            self.advance()
            w = self.expr()
            self.expect("]")
            return f"(({self.bits(v)}>>{a[0]})&((1<<{w[0]})-1))", ("u", 32)
        self.expect("]")
        return f"(({self.bits(v)}>>{a[0]})&1)", ("u", 1)

    def post(self, v):
        while True:
            if self.kind() == "suf":
                t = self.advance()
                v = self.view(v, type_of(t))
            elif self.peek() == "[":
                self.advance()
                v = self.index(v)
            else:
                return v

    def num(self, s):
        m = re.fullmatch(r"(\d+)'(0x[0-9a-fA-F]+|\d+\.\d+|\d+)([A-Z]*)", s)
        if m:
            if "." in m[2]:
                return repr(float(m[2])), ("f", int(m[1]))
            return str(int(m[2], 0)), (("u" if "U" in m[3] or m[2].startswith("0x") else "i"), int(m[1]))
        if "." in s:
            return repr(float(s.rstrip("F"))), ("f", 32 if s.endswith("F") else 64)
        core = (
            s
            if s.startswith("0x") and not re.search("[UL]$", s)
            else s.rstrip("ULF")
            if not s.startswith("0x")
            else s.rstrip("UL")
        )
        v = str(int(core, 0))
        u, l = "U" in s[2:] or (s[-1:] == "U"), "LL" in s
        return (v, ("u" if u else "i", 64)) if l else (v, ("u", 32)) if u else (v, ("k", 32))

    def args(self):
        self.expect("(")
        r = []
        while self.peek() != ")":
            r.append(self.expr())
            if self.peek() == ",":
                self.advance()
        self.advance()
        return r

    def prim(self):
        k, s = self.t[self.p]
        if s == "(":
            self.advance()
            v = self.expr()
            self.expect(")")
            return f"({v[0]})", v[1]
        if s == "{":
            self.advance()
            parts = []
            while True:
                parts.append(self.expr())
                if self.advance() == "}":
                    break
            n, src = 0, []
            for v in reversed(parts):
                src.append(f"({self.bits(v)}<<{n})")
                n += v[1][1]
            return "(" + "|".join(src) + ")", ("u", n)
        if k in ("num", "nlit"):
            self.advance()
            return self.num(s)
        if k == "cast":
            self.advance()
            n, c = s.split("'")
            self.expect("(")
            v = self.expr()
            self.expect(")")
            to = ({"U": "u", "I": "i", "F": "f", "B": "u"}[c], int(n))
            return self.view(v, to) if c == "B" else self.convert(v, to)
        if k != "id":
            raise Unsupported(f"pseudocode token {s}")
        self.advance()
        if self.peek() == "(":
            return self.call(s, self.args())
        if s == "MEM":
            self.expect("[")
            a = self.expr()
            self.expect("]")
            t = type_of(self.advance())
            return self.view((f"ld({a[0]},{t[1] // 8})", ("u", t[1])), t)
        if s in ("INF", "NAN"):
            n = 64
            if self.kind() == "suf":
                n = type_of(self.advance())[1]
            return s, ("f", n)
        if s == "PI":
            return "math.pi", ("f", 64)
        if s == "laneId":
            return "l", ("u", 32)
        if s in ("WAVE64", "WAVE32"):
            return f"(1 if w.ws=={s[4:]} else 0)", ("u", 1)
        if s in self.env:
            e = self.env[s]
            if e[0] == "arr":
                self.expect("[")
                i = self.expr()
                self.expect("]")
                return f"{e[2] if len(e) > 2 else s}[{i[0]}]", e[1]
            return (e[1] if len(e) > 1 and isinstance(e[1], str) else s), e[0] if isinstance(
                e[0], tuple
            ) else e
        raise Unsupported(f"pseudocode name {s}")

    def call(self, f, a):
        x = a[0][0] if a else ""
        t = a[0][1] if a else ("u", 32)
        n = t[1]
        m = re.fullmatch(r"v_(min|max)(3?)_([a-z]+\d+)", f)
        if m:
            ty = type_of(m[3])
            vs = [v[0] for v in a]
            if ty[0] == "f":
                r = vs[0]
                for y in vs[1:]:
                    r = f"fminmax({r},{y},{m[1] == 'max'})"
                return r, ty
            return f"{m[1]}({','.join(vs)})", ty
        m = re.fullmatch(r"([a-z]+\d+)_to_([a-z]+\d+)", f)
        if m:
            return self.convert(
                self.view(a[0], type_of(m[1])) if a[0][1][0] != type_of(m[1])[0] else a[0], type_of(m[2])
            )
        if f == "fma":
            n = max(v[1][1] for v in a)
            return f"fma({x},{a[1][0]},{a[2][0]},{n})", ("f", n)
        if f in ("isNAN", "isQuietNAN"):
            return f"(1 if {x}!={x} else 0)", ("u", 1)
        if f == "isSignalNAN":
            return "0", ("u", 1)
        if f == "cvtToQuietNAN":
            return a[0]
        if f == "flush":
            return f"flush({x})", t
        if f == "signext":
            return x, ("i", 64)
        if f == "signext_from_bit":
            return f"(sign_extend({x},{a[1][0]}) if {a[1][0]} else 0)", t
        if f == "sign":
            return f"({self.bits(a[0])}>>{n - 1})", ("u", 1)
        if f == "exponent":
            return f"expo({x},{n})", ("k", 32)
        if f == "mantissa":
            return f"frexp_m({x})", t
        if f == "abs":
            return f"abs({x})", t
        if f in ("floor", "trunc"):
            return f"{f}_({x})", t
        if f == "fract":
            return f"({x}-floor_({x}))", t
        if f == "isEven":
            return f"(1 if math.fmod({x},2.0)==0 else 0)", ("u", 1)
        if f == "sqrt":
            return self.wrap(f"sqrt_({x})", t)
        if f == "log2":
            return self.wrap(f"log2_({x})", t)
        if f in ("sin", "cos"):
            return self.wrap(f"math.{f}({x})", t)
        if f == "pow":
            return self.wrap(f"pow_({x},{a[1][0]})", t)
        if f == "ldexp":
            return self.wrap(f"ldexp_({x},{a[1][0]})", t)
        if f == "ABSDIFF":
            return f"abs({x}-{a[1][0]})", t
        if f in ("countbits", "bitCount"):
            return f"bin({x}).count('1')", ("u", 32)
        raise Unsupported(f"pseudocode function {f}")

    # statements
    def run(self):
        try:
            while self.p < len(self.t):
                self.stmt()
        except (IndexError, KeyError, TypeError, AttributeError) as e:
            raise Unsupported(f"pseudocode not understood ({type(e).__name__}: {e})") from None
        return self.out

    def block(self, stop):
        self.ind += 1
        n0 = len(self.out)
        while self.peek() not in stop:
            self.stmt()
        if len(self.out) == n0:
            self.emit("pass")
        self.ind -= 1

    def stmt(self):
        s = self.peek()
        if s == ";":
            self.advance()
            return
        if s in ("if",):
            self.advance()
            c = self.expr()
            self.expect("then")
            self.emit(f"if {c[0]}:")
            self.block(("elsif", "else", "endif"))
            while self.peek() == "elsif":
                self.advance()
                c = self.expr()
                self.expect("then")
                self.emit(f"elif {c[0]}:")
                self.block(("elsif", "else", "endif"))
            if self.peek() == "else":
                self.advance()
                self.emit("else:")
                self.block(("endif",))
            self.expect("endif")
            return
        if s == "for":
            self.advance()
            v = self.advance()
            self.expect("in")
            a = self.expr()
            self.expect(":")
            b = self.expr()
            self.expect("do")
            self.env[v] = ("u", 32)
            self.emit(f"for {v} in range({a[0]},{b[0]}+1):")
            self.block(("endfor",))
            self.expect("endfor")
            return
        if s == "break":
            self.advance()
            self.emit("break")
            return
        if s == "pass":
            self.advance()
            return
        if s == "declare":
            self.advance()
            v = self.advance()
            self.expect(":")
            n, c = self.advance().split("'")
            ty = ({"U": "u", "I": "i", "F": "f", "B": "u"}[c], int(n))
            if self.peek() == "[":
                self.advance()
                k = self.expr()[0]
                self.expect("]")
                if v != "S":
                    self.env[v] = ("arr", ty)
                    self.emit(f"{v}=[0]*{k}")  # S: the sources, see alu()
            else:
                if v not in self.env:
                    self.env[v] = ty
                    self.emit(f"{v}=0")
            return
        # assignment(s): find lvalues up to the last top-level '='
        lvs = []
        while True:
            save = self.p
            lv = (
                self.lvalue()
                if (self.kind() == "id" and not (self.peek(1) == "(")) or self.peek() == "{"
                else None
            )
            if lv is not None and self.peek() in ("=", "+=", "-="):
                lvs.append((lv, self.advance()))
                continue
            self.p = save
            break
        if not lvs:
            self.expr()
            return  # a call with no effect here (s_nop and the like)
        v = self.expr()
        for lv, op in reversed(lvs):
            self.assign(lv, op, v)

    def lvalue(self):
        if self.peek() == "{":
            self.advance()
            r = []
            while True:
                r.append(self.lvalue())
                if self.advance() == "}":
                    return ("cat", r)
        name = self.advance()
        suf, idx, suf2 = None, None, None
        if self.kind() == "suf":
            suf = self.advance()
        if self.peek() == "[":
            self.advance()
            a = self.expr()
            b = None
            if self.peek() == ":":
                self.advance()
                b = self.expr()
            self.expect("]")
            idx = (a[0], b[0] if b else None)
            if self.kind() == "suf":
                suf2 = self.advance()
        return ("lv", name, suf, idx, suf2)

    def assign(self, lv, op, v):
        if lv[0] == "cat":
            self.emit(f"cat_={self.bits(v)}")
            n = 0
            for q in reversed(lv[1]):
                t = type_of(q[2])
                self.assign(q, "=", (f"((cat_>>{n})&{hex((1 << t[1]) - 1)})", ("u", t[1])))
                n += t[1]
            return
        _, name, suf, idx, suf2 = lv
        if op != "=":  # x += e
            cur = self.read_lv(lv)
            t = self.join(cur, v) if cur[1][0] != "k" else v[1]
            v = self.wrap(f"({cur[0]}{op[0]}{v[0]})", cur[1] if cur[1][0] != "k" else t)
        if name == "MEM":
            t = type_of(suf2 or suf)
            v = self.convert(v, t) if v[1][0] != t[0] and "f" in (v[1][0], t[0]) and not (t[0] == "u") else v
            self.emit(
                f"st({idx[0]},{t[1] // 8},{self.view((self.bits(v), ('u', max(v[1][1], t[1]))), ('u', t[1]))[0] if v[1][0] != 'k' else v[0]})"
            )
            return
        if idx and idx[0] == "l" and idx[1] is None and name in self.MASKDST:
            self.masks.add(name)
            self.emit(f"if {v[0]}: m{name}|=1<<l")
            return
        if idx:
            e = self.env.get(name)
            if e and e[0] == "arr":
                self.emit(f"{e[2] if len(e) > 2 else name}[{idx[0]}]={self.convert(v, e[1])[0]}")
                return
            var = self.reg(name)
            hi, lo = idx if idx[1] is not None else (idx[0], idx[0])
            t = type_of(suf2) if suf2 else None
            b = self.bits(self.convert(v, t) if t and v[1] != t and t[0] in ("f", "bf") else v)
            self.emit(
                f"{var}=({var}&~(((1<<({hi}-{lo}+1))-1)<<({lo})))|((({b})&((1<<({hi}-{lo}+1))-1))<<({lo}))"
            )
            return
        if suf:
            t = type_of(suf)
            var = self.reg(name)
            if t[0] == "f" or v[1][0] in ("f", "bf"):
                b = self.bits(self.convert(v, t) if t[0] in ("f", "bf") else v)
            elif v[1][0] == "u" and v[1][1] <= t[1]:
                b = v[0]
            else:
                b = f"({v[0]}&{hex((1 << t[1]) - 1)})"
            self.emit(f"{var}={b}")
            return
        if (
            name in ("D0", "D1", "SCC", "PC", "VCC", "EXEC")
            or name in self.env
            and self.env[name][0] == "reg"
        ):
            self.emit(f"{self.reg(name)}={self.bits(v)}")
            return
        old = self.env.get(name)
        if old and old[0] in ("f", "i", "u") and v[1][0] == "k":
            v = self.convert(v, old)
        elif v[1][0] == "k":
            v = (v[0], ("i", 32))
        self.env[name] = v[1]
        self.emit(f"{name}={v[0]}")

    def read_lv(self, lv):
        _, name, suf, idx, suf2 = lv
        if name == "MEM":
            t = type_of(suf2 or suf)
            return self.view((f"ld({idx[0]},{t[1] // 8})", ("u", t[1])), t)
        e = self.env.get(name)
        if idx and e and e[0] == "arr":
            return f"{name}[{idx[0]}]", e[1]
        v = (self.reg(name), ("u", 64)) if suf else (name, e)
        return self.view(v, type_of(suf)) if suf else v

    def reg(self, name):
        e = self.env.get(name)
        if e is None:
            self.env[name] = ("u", 64)
            self.loc.add(name)
        elif e[0] in ("f", "i"):
            self.emit(f"{name}={self.bits((name, e))}")
            self.env[name] = ("u", e[1])
        return name
