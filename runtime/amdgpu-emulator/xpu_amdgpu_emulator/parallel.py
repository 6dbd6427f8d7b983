"""Statements for one lane, translated to statements for all lanes at once on packed registers.

Each value has its range, from which follows that no lane runs over into the next one. A lane never holds a negative number: it holds
the value and a bias, which the next mask takes away. What does not fit, floats and products of two vectors among them, is refused, and
a loop over lanes does it (`lanewise`).
"""

import ast
import re

from .lanewise import read_exec
from .packed import M32, M64, SLOT, TOP, shape

MASKS = re.compile(r"m(VCC|D0|EXEC)")
WORD = re.compile(r"\w+")
LOW = 1 << 64  # a bias that no mask of up to 64 bits sees
MOST_SHIFT_BITS = 6
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.BitAnd: "conjunction",
    ast.BitOr: "disjunction",
    ast.BitXor: "disjunction",
    ast.LShift: "left",
    ast.RShift: "right",
}
SIGN = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}


class Refused(Exception):
    """The statements need a loop over lanes."""


class Value:
    """Source text of a value from `low` to `high`: of one number, or (`wide`) of all lanes, which hold it plus `bias`."""

    __slots__ = ("text", "low", "high", "wide", "bias")

    def __init__(self, text, low, high, wide=False, bias=0):
        if wide and (low + bias < 0 or high + bias > TOP):
            raise Refused("a lane overflows")
        self.text, self.low, self.high, self.wide, self.bias = text, low, high, wide, bias

    @property
    def constant(self):
        return not self.wide and self.low == self.high


def number(x):
    return Value(str(x) if x >= 0 else f"({x})", x, x)


def bits(x):
    return x.bit_length()


class Parallel:
    """Translates the statements of one instruction. `constants` gets the numbers that the source text names."""

    def __init__(self, ws, constants):
        self.shape, self.ws, self.constants = shape(ws), ws, constants
        self.out, self.names, self.masks, self.count = [], {}, {}, 0

    # values
    def keep(self, v):
        """The value as a name, so that it may be read twice."""
        if v.text.isidentifier() or v.constant:
            return v
        self.count += 1
        self.out.append(f"_{self.count}={v.text}")
        return Value(f"_{self.count}", v.low, v.high, v.wide, v.bias)

    def repeat(self, x):
        """The name of the constant with `x` in each lane."""
        name = f"k{x:x}_{self.ws}"
        self.constants[name] = self.shape.one * x
        return name

    def widen(self, v, more=0):
        """The value in all lanes; `more` is added to what they hold, and not to the bias."""
        if v.wide:
            return v if not more else Value(f"({v.text}+{self.repeat(more)})", v.low, v.high, True, v.bias + more)
        bias = 0 if v.low >= 0 else max(LOW, 1 << bits(-v.low))
        total = bias + more
        if v.constant:
            return Value(self.repeat(v.low + total), v.low, v.high, True, total)
        one = self.repeat(1)
        text = f"({v.text}+{total})" if total else v.text
        return Value(f"({one}*{text})", v.low, v.high, True, total)

    def plain(self, v):
        """The value without a bias."""
        if not v.bias:
            return v
        if v.low < 0:
            raise Refused("a negative number")
        return Value(f"({v.text}-{self.repeat(v.bias)})", v.low, v.high, True)

    def rebias(self, v, bias):
        if v.bias == bias:
            return v
        sign, by = ("+", bias - v.bias) if bias > v.bias else ("-", v.bias - bias)
        return Value(f"({v.text}{sign}{self.repeat(by)})", v.low, v.high, True, bias)

    def alike(self, a, b):
        """Both in all lanes, with the same bias."""
        a, b = self.widen(a), self.widen(b)
        bias = max(a.bias, b.bias)
        return self.rebias(a, bias), self.rebias(b, bias)

    # arithmetic
    def scalar(self, op, a, b, low, high):
        v = Value(f"({a.text}{op}{b.text})", low, high)
        return number(low) if low == high and a.constant and b.constant else v

    def add(self, op, a, b):
        low, high = a.low + b.low, a.high + b.high
        if not (a.wide or b.wide):
            return self.scalar(op, a, b, low, high)
        if a.constant and not a.low:
            return b
        if b.constant and not b.low:
            return a
        a, b = self.widen(a), self.widen(b)
        return Value(f"({a.text}+{b.text})", low, high, True, a.bias + b.bias)

    def subtract(self, op, a, b):
        low, high = a.low - b.high, a.high - b.low
        if not (a.wide or b.wide):
            return self.scalar(op, a, b, low, high)
        if b.constant and not b.low:
            return a
        b = self.widen(b)
        bias = 0 if low >= 0 else max(LOW, 1 << bits(-low))
        a = self.widen(a, max(0, bias + b.bias - self.widen(a).bias))
        return Value(f"({a.text}-{b.text})", low, high, True, a.bias - b.bias)

    def multiply(self, op, a, b):
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        if not (a.wide or b.wide):
            return self.scalar(op, a, b, min(ends), max(ends))
        if a.wide and b.wide:
            raise Refused("a product of two vectors")
        if (b if a.wide else a).low < 0:
            raise Refused("a product with a negative number")
        a, b = (self.plain(x) if x.wide else x for x in (a, b))
        return Value(f"({a.text}*{b.text})", min(ends), max(ends), True)

    def conjunction(self, op, a, b):
        if not (a.wide or b.wide):
            if a.constant and b.constant:
                return number(a.low & b.low)
            if a.low < 0 and b.low < 0:
                raise Refused("a mask that is negative")
            return self.scalar(op, a, b, 0, min(x.high for x in (a, b) if x.low >= 0))
        if a.low < 0 and b.low < 0:
            raise Refused("a mask that is negative")
        if b.low < 0:
            a, b = b, a
        # b is not negative: only its bits of a are wanted
        if b.constant and a.low >= 0 and b.low & b.low + 1 == 0 and a.high <= b.high:
            return a
        high = b.high if a.low < 0 else min(a.high, b.high)
        a, b = self.widen(a), self.plain(self.widen(b))
        odd = a.bias % (1 << bits(b.high))
        if odd:
            a = self.rebias(a, a.bias + (1 << bits(b.high)) - odd)
        return Value(f"({a.text}&{b.text})", 0, high, True)

    def disjunction(self, op, a, b):
        if a.low < 0 or b.low < 0:
            raise Refused("bits of a negative number")
        high = (1 << max(bits(a.high), bits(b.high))) - 1
        if not (a.wide or b.wide):
            if a.constant and b.constant:
                return number(a.low | b.low if op == "|" else a.low ^ b.low)
            return self.scalar(op, a, b, 0, high)
        if a.constant and not a.low:
            return b
        if b.constant and not b.low:
            return a
        a, b = self.plain(self.widen(a)), self.plain(self.widen(b))
        return Value(f"({a.text}{op}{b.text})", 0, high, True)

    def left(self, op, a, b):
        if b.low < 0 or b.high > SLOT:
            raise Refused("a shift")
        ends = [x << y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(ends), max(ends)
        if not (a.wide or b.wide):
            return self.scalar(op, a, b, low, high)
        if b.constant:
            return Value(f"({a.text}<<{b.low})", low, high, True, a.bias << b.low) if b.low else a
        a = self.plain(self.widen(a))
        if not b.wide:
            return Value(f"({a.text}<<{b.text})", low, high, True)
        return self.barrel(a, b, lambda x, k: self.left("<<", x, number(k)))

    def right(self, op, a, b):
        if b.low < 0:
            raise Refused("a shift")
        ends = [x >> y for x in (a.low, a.high) for y in (b.low, min(b.high, 2 * SLOT))]
        low, high = min(ends), max(ends)
        if not (a.wide or b.wide):
            return self.scalar(op, a, b, low, high)
        if b.constant and not b.low:
            return a
        if b.constant and a.low < 0 and a.bias % (1 << b.low) == 0 and b.low < SLOT:
            bias = a.bias >> b.low
            room = (1 << bits(a.high + a.bias >> b.low)) - 1
            return Value(f"({a.text}>>{b.low}&{self.repeat(room)})", low, high, True, bias)
        a = self.plain(self.widen(a))
        if b.constant:
            if a.high >> b.low == 0:
                return number(0)
            return Value(f"({a.text}>>{b.low}&{self.repeat((1 << bits(high)) - 1)})", low, high, True)
        if not b.wide:
            whole = (1 << bits(a.high)) - 1
            return Value(f"({a.text}>>{b.text}&{self.repeat(1)}*({whole}>>{b.text}))", low, high, True)
        return self.barrel(a, b, lambda x, k: self.right(">>", x, number(k)))

    def barrel(self, a, b, shift):
        """Shifts each lane by an amount of its own, a bit of the amount at a time."""
        b = self.keep(self.plain(b))
        if bits(b.high) > MOST_SHIFT_BITS:
            raise Refused("a shift by a large number")
        for i in range(bits(b.high)):
            a = self.keep(self.widen(a))
            chosen = self.conjunction("&", self.right(">>", b, number(i)), number(1))
            a = self.select(chosen, shift(a, 1 << i), a)
        return a

    # truth values: 0 or 1
    def truth(self, v):
        return self.plain(v) if v.low >= 0 and v.high <= 1 else self.compare("!=", v, number(0))

    def negation(self, v):
        v = self.truth(v)
        return self.disjunction("^", v, number(1)) if v.wide else Value(f"(0 if {v.text} else 1)", 0, 1)

    def compare(self, op, a, b):
        if not (a.wide or b.wide):
            return Value(f"(1 if {a.text}{op}{b.text} else 0)", 0, 1)
        if op in (">", "<="):
            a, b, op = b, a, {">": "<", "<=": ">="}[op]
        one = self.repeat(1)
        a, b = self.alike(a, b)
        if op in ("==", "!="):
            differ = a.text if b.text == self.repeat(0) else f"({a.text}^{b.text})"
            v = Value(f"({differ}+{self.repeat(TOP)}>>{SLOT - 1}&{one})", 0, 1, True)
            return self.negation(v) if op == "==" else v
        upper = self.repeat(b.low + b.bias + TOP) if b.low == b.high else f"{b.text}+{self.repeat(TOP)}"
        v = Value(f"({upper}-{a.text}>>{SLOT - 1}&{one})", 0, 1, True)
        return self.negation(v) if op == ">=" else v

    def select(self, chosen, a, b):
        chosen = self.truth(chosen)
        low, high = min(a.low, b.low), max(a.high, b.high)
        if not chosen.wide:
            if not (a.wide or b.wide):
                return Value(f"({a.text} if {chosen.text} else {b.text})", low, high)
            a, b = self.alike(a, b)
            return Value(f"({a.text} if {chosen.text} else {b.text})", low, high, True, a.bias)
        if (a.text, b.text) == ("1", "0"):
            return chosen
        if (a.text, b.text) == ("0", "1"):
            return self.negation(chosen)
        a, b = self.alike(a, b)
        chosen, b = self.keep(chosen), self.keep(b)
        width = bits(high + a.bias)
        mask = f"(({chosen.text}<<{width})-{chosen.text})"
        return Value(f"({b.text}^({a.text}^{b.text})&{mask})", low, high, True, a.bias)

    def sign_extend(self, v, n):
        if not v.wide:
            return Value(f"sign_extend({v.text},{n})", -(1 << n - 1), (1 << n - 1) - 1)
        if 0 <= v.low and v.high < 1 << n - 1:
            return v
        half = 1 << n - 1
        v = self.conjunction("&", v, number(2 * half - 1))
        return Value(f"({v.text}^{self.repeat(half)})", -half, half - 1, True, half)

    # expressions
    def expression(self, node):
        kind = type(node)
        if kind is ast.Constant and type(node.value) is int:
            return number(node.value)
        if kind is ast.Name:
            return self.name(node.id)
        if kind is ast.Subscript:
            return self.register(node)
        if kind is ast.BinOp and type(node.op) in BINARY:
            return self.binary(node)
        if kind is ast.UnaryOp:
            return self.unary(node)
        if kind is ast.Compare and len(node.ops) == 1 and type(node.ops[0]) in COMPARE:
            sides = self.expression(node.left), self.expression(node.comparators[0])
            return self.compare(COMPARE[type(node.ops[0])], *sides)
        if kind is ast.BoolOp:
            truths = [self.truth(self.expression(x)) for x in node.values]
            op, join = ("&", self.conjunction) if type(node.op) is ast.And else ("|", self.disjunction)
            v = truths[0]
            for other in truths[1:]:
                v = join(op, v, other)
            return v
        if kind is ast.IfExp:
            return self.select(*(self.expression(x) for x in (node.test, node.body, node.orelse)))
        if kind is ast.Call:
            return self.call(node)
        if kind is ast.Attribute and ast.unparse(node) == "w.scc":
            return Value("w.scc", 0, 1)
        raise Refused(ast.unparse(node))

    def name(self, name):
        if name in self.names:
            return self.names[name]
        if name == "l":
            self.constants[f"iota_{self.ws}"] = self.shape.iota
            return Value(f"iota_{self.ws}", 0, self.ws - 1, True)
        if name in ("M32", "M64"):
            return number(M32 if name == "M32" else M64)
        raise Refused(name)

    def register(self, node):
        text = ast.unparse(node)
        if m := re.fullmatch(r"v\[(\d+)\]\[l\]", text):
            return self.names.get(f"v{m[1]}_") or Value(f"r[{m[1]}]", 0, M32, True)
        if re.fullmatch(r"s\[\d+\]", text):
            return Value(text, 0, M32)
        raise Refused(text)

    def binary(self, node):
        if type(node.op) is ast.BitAnd and type(node.left) is ast.BinOp and type(node.left.op) is ast.RShift:
            if ast.unparse(node.left.right) == "l" and ast.unparse(node.right) == "1":  # a bit of a mask
                mask = self.expression(node.left.left)
                if not mask.wide and mask.low >= 0 and mask.high <= M64:
                    return Value(f"spread({mask.text})", 0, 1, True)
        a, b = self.expression(node.left), self.expression(node.right)
        return getattr(self, BINARY[type(node.op)])(SIGN[type(node.op)], a, b)

    def unary(self, node):
        v = self.expression(node.operand)
        if type(node.op) is ast.Not:
            return self.negation(v)
        if type(node.op) is ast.USub:
            return self.subtract("-", number(0), v)
        if type(node.op) is ast.Invert:
            if not v.wide:
                return number(~v.low) if v.constant else Value(f"(~{v.text})", ~v.high, ~v.low)
            v = self.plain(v)
            whole = (1 << max(64, bits(v.high))) - 1
            return Value(f"({v.text}^{self.repeat(whole)})", ~v.high, ~v.low, True, whole + 1)
        return v

    def call(self, node):
        text = ast.unparse(node)
        if text in ("w.exec()", "w.vcc()"):
            return Value(text, 0, self.shape.full)
        name = ast.unparse(node.func)
        if node.keywords or name not in ("sign_extend", "min", "max") or len(node.args) != 2:
            raise Refused(text)
        a, b = (self.expression(x) for x in node.args)
        if name == "sign_extend":
            if not b.constant or not 1 <= b.low <= 64:
                raise Refused(text)
            return self.sign_extend(a, b.low)
        a, b = self.keep(a), self.keep(b)
        return self.select(self.compare("<" if name == "min" else ">", a, b), a, b)

    # statements
    def statements(self, nodes):
        for node in nodes:
            kind = type(node)
            if kind is ast.Assign:
                value = None if self.starts_mask(node) else self.expression(node.value)
                if value is not None:
                    for target in node.targets:
                        self.assign(target, value)
            elif kind is ast.AugAssign:
                self.change(node)
            elif kind is ast.If:
                self.branch(node)
            elif kind is not ast.Pass:
                raise Refused(ast.unparse(node))

    def starts_mask(self, node):
        named = [MASKS.fullmatch(ast.unparse(t)) for t in node.targets]
        if any(named):
            if not all(named) or ast.unparse(node.value) != "0":
                raise Refused(ast.unparse(node))
            self.masks |= {m[0]: number(0) for m in named}
        return any(named)

    def assign(self, target, value):
        text = ast.unparse(target)
        if m := re.fullmatch(r"v\[(\d+)\]\[l\]", text):
            value = self.plain(self.widen(value))
            if value.high > M32:
                raise Refused(text)
            text = f"v{m[1]}_"
        elif type(target) is not ast.Name or text == "l":
            raise Refused(text)
        self.names[text] = self.keep(value)

    def change(self, node):
        text = ast.unparse(node.target)
        if MASKS.fullmatch(text):
            value = node.value
            if type(node.op) is not ast.BitOr or type(value) is not ast.BinOp:
                raise Refused(text)
            if type(value.op) is not ast.LShift or ast.unparse(value.right) != "l":
                raise Refused(text)
            bit = self.expression(value.left)
            if bit.low < 0 or bit.high > 1:
                raise Refused(text)
            self.masks[text] = self.keep(self.disjunction("|", self.masks.get(text, number(0)), bit))
            return
        if type(node.target) is not ast.Name or type(node.op) not in BINARY:
            raise Refused(text)
        a, b = self.name(text), self.expression(node.value)
        self.names[text] = self.keep(getattr(self, BINARY[type(node.op)])(SIGN[type(node.op)], a, b))

    def branch(self, node):
        """Both sides take place, and each lane keeps what its side assigned."""
        chosen = self.keep(self.truth(self.expression(node.test)))
        before = self.names, self.masks
        sides = []
        for body in (node.body, node.orelse):
            self.names, self.masks = dict(before[0]), dict(before[1])
            self.statements(body)
            sides.append((self.names, self.masks))
        self.names, self.masks = (self.merge(chosen, *pair) for pair in zip(*sides))

    def merge(self, chosen, yes, no):
        out = {}
        for name in {**yes, **no}:
            unset = number(0) if MASKS.fullmatch(name) else None
            a, b = yes.get(name, unset), no.get(name, unset)
            if a is b:
                out[name] = a
                continue
            m = re.fullmatch(r"v(\d+)_", name)
            if m:
                a, b = (x or Value(f"r[{m[1]}]", 0, M32, True) for x in (a, b))
            if a is None or b is None:  # assigned on one side only: not to be read afterwards
                continue
            out[name] = self.keep(self.select(chosen, a, b))
        return out


def translate(parallel, lines):
    """Translates lines of source; `parallel.names` has the values afterwards."""
    try:
        parallel.statements(ast.parse("\n".join(lines)).body)
    except SyntaxError:
        raise Refused("not a statement") from None


def parallel_loop(pre, body, post, ws, constants):
    """What `lane_loop` does, for all lanes at once on packed registers, or nothing if that cannot be."""
    known = {}
    p = Parallel(ws, known)
    try:
        translate(p, pre + body)
        # what comes afterwards may read masks, and nothing else that was assigned here
        if (p.names.keys() - {"ex"}) & set(WORD.findall("\n".join(post))):
            return None
    except Refused:
        return None
    out = p.out
    for name, v in p.names.items():
        if m := re.fullmatch(r"v(\d+)_", name):
            old = f"r[{m[1]}]"
            out.append(f"{old}={v.text} if ex=={p.shape.full} else {old}^({old}^{v.text})&X[ex]")
    read = set(WORD.findall("\n".join(post)))
    for name, v in p.masks.items():
        if name in read:
            out.append(f"{name}={'mask_of(' + p.widen(v).text + ')&ex' if v.wide or v.high else '0'}")
    # last: the masks name constants too
    constants.update(known)
    return [read_exec(ws)] + without_unread(out + post)


def without_unread(lines, wanted=()):
    """The lines without assignments of intermediate values that nothing reads; `wanted` are read afterwards."""
    out, read = [], set(wanted)
    for line in reversed(lines):
        name = line.partition("=")[0]
        if not re.fullmatch(r"_\d+", name) or name in read:
            out.append(line)
            read |= set(WORD.findall(line.partition("=")[2] if name in read else line))
    return out[::-1]
