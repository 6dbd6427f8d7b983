"""Number formats of the hardware: conversions, rounding, and the helpers translated pseudocode calls."""

import math
import struct
from fractions import Fraction

M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


class EmuError(Exception):
    """A kernel did something it may not do, or the emulator cannot run it."""


class Unsupported(EmuError):
    """An instruction or an instruction form that the emulator lacks."""


def f32(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def f16(x):
    try:
        return struct.unpack("<e", struct.pack("<e", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def to_bits(x, n):  # float value -> bits
    if n == 16:
        try:
            return struct.unpack("<H", struct.pack("<e", x))[0]
        except OverflowError:
            return 0x7C00 | (0x8000 if x < 0 else 0)
    if n == 32:
        try:
            return struct.unpack("<I", struct.pack("<f", x))[0]
        except OverflowError:
            return 0x7F800000 | (0x80000000 if x < 0 else 0)
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b, n):  # bits -> float value
    if n == 16:
        return struct.unpack("<e", struct.pack("<H", b & 0xFFFF))[0]
    if n == 32:
        return struct.unpack("<f", struct.pack("<I", b & M32))[0]
    return struct.unpack("<d", struct.pack("<Q", b & M64))[0]


def sign_extend(x, n):
    x &= (1 << n) - 1
    return x - (1 << n) if x >> (n - 1) else x


def rounded(x, n):
    return x if n == 64 else f32(x) if n == 32 else f16(x)


def fdiv(a, b):
    if b == 0:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def fma(a, b, c, n):
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return rounded(a * b + c, n)
    e = Fraction(a) * Fraction(b) + Fraction(c)
    if e == 0:
        return rounded(a * b + c, n)
    if n == 64:
        try:
            return e.numerator / e.denominator
        except OverflowError:
            return math.copysign(math.inf, e)
    d = (
        e.numerator / e.denominator
    )  # correctly rounded double; make it round-to-odd so the second rounding is exact
    if Fraction(d) != e and not to_bits(d, 64) & 1:
        up = math.nextafter(d, math.inf if e > Fraction(d) else -math.inf)
        d = up
    return rounded(d, n)


def toint(x, n, signed):
    lo, hi = (-(1 << (n - 1)), (1 << (n - 1)) - 1) if signed else (0, (1 << n) - 1)
    if x != x:
        return 0
    return lo if x <= lo else hi if x >= hi else int(x)


def fminmax(a, b, mx):
    if a != a:
        return b
    if b != b:
        return a
    if a == b == 0:
        return a if (math.copysign(1, a) > 0) == mx else b
    return max(a, b) if mx else min(a, b)


def med3(a, b, c):
    if a != a or b != b or c != c:
        return fminmax(fminmax(a, b, False), c, False)
    return sorted((a, b, c))[1]


def expo(x, n):
    w, m = {16: (5, 10), 32: (8, 23), 64: (11, 52)}[n]
    return to_bits(x, n) >> m & ((1 << w) - 1)


def isden(x, n):
    return x != 0 and expo(x, n) == 0


def div_scale(s0, s1, s2, n):
    big, k, tiny = (96, 64, 23) if n == 32 else (768, 128, 53)
    sc = lambda x, p: rounded(math.ldexp(x, p), n)
    if s1 == 0 or s2 == 0:
        return math.nan, 0
    if expo(s2, n) - expo(s1, n) >= big:
        return (sc(s0, k) if s0 == s1 else s0), 1
    if isden(s1, n):
        return sc(s0, k), 0
    rcp, q = rounded(fdiv(1.0, s1), n), rounded(fdiv(s2, s1), n)
    rd, qd = isden(rcp, n), isden(q, n) or q == 0
    if rd and qd:
        return (sc(s0, k) if s0 == s1 else s0), 1
    if rd:
        return sc(s0, -k), 0
    if qd:
        return (sc(s0, k) if s0 == s2 else s0), 1
    return (sc(s0, k) if expo(s2, n) <= tiny else s0), 0


def div_fixup(s0, s1, s2, n):
    sg = math.copysign(1, s1) * math.copysign(1, s2)
    if s2 != s2:
        return s2
    if s1 != s1:
        return s1
    if (s1 == 0 and s2 == 0) or (math.isinf(s1) and math.isinf(s2)):
        return -math.nan
    if s1 == 0 or math.isinf(s2):
        return sg * math.inf
    if math.isinf(s1) or s2 == 0:
        return sg * 0.0
    if s0 != s0:
        return sg * math.inf
    return math.copysign(s0, sg)


def ldexp_(x, p):
    try:
        return math.ldexp(x, max(-4000, min(4000, p)))
    except OverflowError:
        return math.copysign(math.inf, x)


def log2_(x):
    return math.nan if x != x or x < 0 else -math.inf if x == 0 else math.log2(x)


def sqrt_(x):
    return math.nan if x != x or x < 0 else math.sqrt(x)


def pow_(a, b):
    try:
        return math.pow(a, b)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def keep(f):
    return lambda x: f(x) if math.isfinite(x) else x


floor_, trunc_ = (
    keep(lambda x: math.copysign(float(math.floor(x)), x)),
    keep(lambda x: math.copysign(float(math.trunc(x)), x)),
)


def rne_(x):
    return math.copysign(float(round(x)), x) if math.isfinite(x) else x


def frexp_m(x):
    return math.frexp(x)[0] if math.isfinite(x) else x


def bf16(x):  # float value -> the nearest bf16, ties to even
    if not math.isfinite(x):
        return x
    b = to_bits(x, 32)
    b += 0x7FFF + (b >> 16 & 1)
    return from_bits(b & 0xFFFF0000, 32)


def flush(x):
    return math.copysign(0.0, x) if isden(x, 32) else x


RUNTIME = dict(
    bf16=bf16,
    flush=flush,
    f32=f32,
    to_bits=to_bits,
    from_bits=from_bits,
    sign_extend=sign_extend,
    rounded=rounded,
    fdiv=fdiv,
    fma=fma,
    toint=toint,
    fminmax=fminmax,
    med3=med3,
    expo=expo,
    math=math,
    div_scale=div_scale,
    div_fixup=div_fixup,
    ldexp_=ldexp_,
    log2_=log2_,
    sqrt_=sqrt_,
    pow_=pow_,
    floor_=floor_,
    trunc_=trunc_,
    rne_=rne_,
    frexp_m=frexp_m,
    M32=M32,
    M64=M64,
    EmuError=EmuError,
    abs=abs,
    int=int,
    INF=math.inf,
    NAN=math.nan,
)


def rtz16(x):
    h = to_bits(x, 16)
    return h - 1 if math.isfinite(x) and abs(from_bits(h, 16)) > abs(x) else h


def perm(a, b, sel):
    d, r = a << 32 | b, 0
    for i in range(4):
        k = sel >> 8 * i & 255
        r |= (
            255
            if k >= 13
            else 0
            if k == 12
            else (d >> (16 * (k - 8) + 15) & 1) * 255
            if k >= 8
            else d >> 8 * k & 255
        ) << 8 * i
    return r


RUNTIME.update(rtz16=rtz16, perm=perm)
