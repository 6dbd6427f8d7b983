"""Statements for all lanes at once mean the same as a loop over lanes."""

import random
import unittest

from toolchain import REPOSITORY  # noqa: F401 (puts the emulator on the path)
from xpu_amdgpu_emulator.numeric import M32, M64, RUNTIME, sign_extend
from xpu_amdgpu_emulator.packed import listed, shape
from xpu_amdgpu_emulator.parallel import parallel_loop
from xpu_amdgpu_emulator.tables import lanes
from xpu_amdgpu_emulator.words import WordAccess

EDGES = (0, 1, 2, 31, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, M32)


def expression(rng, names, depth):
    """A random expression of one lane, as the pseudocode gives them, of at most 32 bits."""
    if depth == 0:
        return rng.choice([*names, "v[0][l]", "v[1][l]", "s[3]", str(rng.choice(EDGES))])
    a, b, c = (expression(rng, names, depth - 1) for _ in range(3))
    signed = f"sign_extend({a},32)"
    return rng.choice(
        (
            f"(({a}+{b})&0xffffffff)",
            f"(({a}-{b})&0xffffffff)",
            f"((-{a})&0xffffffff)",
            f"((~{a})&0xffffffff)",
            f"(({a}*s[3])&0xffffffff)",
            f"(({a}&{b})|({b}^{c}))",
            f"(({a}<<({b}&31))&0xffffffff)",
            f"({a}>>({b}&31))",
            f"(({signed}>>7)&0xffffffff)",
            f"(({signed}-sign_extend({b}&255,8))&0xffffffff)",
            f"({a} if {b}<{c} else {c})",
            f"(1 if {signed}>=sign_extend({b},32) else 0)",
            f"(1 if ({a}=={b}) or (not {c}) and ({a}!=0) else 0)",
            f"(min({signed},sign_extend({b},32))&0xffffffff)",
            f"max({a},{b})",
            f"(((({a}|{b}<<32)+{c})>>s[4])&0xffffffff)",
            f"({a}+((s[106]>>l)&1)&0xffffffff)",
        )
    )


def statements(rng):
    names, lines = ["S0", "S1"], ["S1=v[1][l]"]
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(("t", "u", "D0"))
        lines.append(f"{name}={expression(rng, names, rng.randrange(1, 3))}")
        names.append(name)
    value = rng.choice(names[2:])  # one that each lane assigns
    if rng.random() < 0.4:
        lines += [f"if {expression(rng, names, 1)}:", f"    {value}={expression(rng, names, 1)}"]
        if rng.random() < 0.5:
            lines += ["else:", f"    {value}=v[2][l]"]
    if rng.random() < 0.5:
        lines.append(f"if {expression(rng, names, 1)}>S1: mVCC|=1<<l")
    return lines + [f"v[{rng.randrange(3)}][l]={value}&M32"]


class SameAsLoop(unittest.TestCase):
    def test_random(self):
        translated = 0
        for seed in range(400):
            rng = random.Random(seed)
            ws = rng.choice((32, 64))
            body, form = statements(rng), shape(ws)
            rows = [[rng.choice((*EDGES, rng.getrandbits(32))) for _ in range(ws)] for _ in range(3)]
            s = [rng.choice(EDGES) for _ in range(130)]
            s[4] &= 63
            constants = {}
            source = parallel_loop(["S0=(s[5])", "mVCC=0"], body, ["s[106]=mVCC"], ws, constants)
            if source is None:
                continue
            translated += 1
            for ex in (form.full, 0, 1 << ws - 1, rng.getrandbits(ws)):
                s[126], s[127] = ex & M32, ex >> 32
                lists, scalars = [list(row) for row in rows], list(s)
                loop = ["S0=s[5]", "mVCC=0", f"for l in lanes({ex}):"] + ["    " + x for x in body]
                exec("\n".join(loop + ["s[106]=mVCC"]), dict(RUNTIME, lanes=lanes, v=lists, s=scalars))
                r, t = [form.pack(row) for row in rows], list(s)
                known = dict(RUNTIME, r=r, s=t, X=form.selects, spread=form.spread, mask_of=form.mask)
                exec("\n".join(source), known | constants)
                self.assertEqual([form.unpack(x) for x in r], lists, (seed, ex, body))
                self.assertEqual(t, scalars, (seed, ex, body))
        self.assertGreater(translated, 350)

    def test_what_needs_a_loop_is_refused(self):
        for body in (
            ["v[0][l]=v[1][l]*v[2][l]&M32"],
            ["v[0][l]=to_bits(from_bits(v[1][l],32),32)"],
            ["v[0][l]=v[1][l]+1"],  # may have 33 bits
            ["v[0][l]=sign_extend(v[1][l],32)"],
            ["v[0][l]=(v[1][l]<<100)&M32"],
            ["v[0][l]=unknown"],
            ["for i in range(4): v[0][l]=i"],
        ):
            self.assertIsNone(parallel_loop([], body, [], 32, {}), body)


class Packed(unittest.TestCase):
    def test_there_and_back(self):
        rng = random.Random(0)
        for ws in (32, 64):
            form, mask = shape(ws), rng.getrandbits(ws)
            row = [rng.getrandbits(32) for _ in range(ws)]
            self.assertEqual(form.unpack(form.pack(row)), row)
            self.assertEqual(form.unpack(form.spread(mask)), [mask >> l & 1 for l in range(ws)])
            for m in (0, 1, form.full, mask):
                self.assertEqual(form.mask(form.spread(m)), m)

    def test_lists_of_registers(self):
        self.assertEqual(listed(["s[3]=r[1]"]), ["s[3]=r[1]"])
        self.assertEqual(
            listed(["v[3][l]=v[4][l]"]),
            ["v3_=unpack(r[3])", "v4_=unpack(r[4])", "v3_[l]=v4_[l]", "r[3]=pack(v3_)"],
        )


class Memory:
    """One region of 64 words at 1024, and what its checks of single accesses were asked for."""

    def __init__(self):
        self.low, self.size = 1024, 256
        self.words = memoryview(bytearray(self.size)).cast("I")
        self.words[:] = memoryview(bytes(range(256))).cast("I")

    def region(self, a):
        return self if 1024 <= a <= 1024 + 252 else None

    def ld(self, a, n):
        if self.region(a) is None or a & 3:
            raise ValueError(f"{a}")
        return self.words[a - 1024 >> 2]

    def st(self, a, n, x):
        self.ld(a, n)
        self.words[a - 1024 >> 2] = x

    def shuffled(self, ex):
        return list(lanes(ex))[::-1]


class Words(unittest.TestCase):
    """The fast ways do what single accesses do, also where some lane is outside."""

    def addresses(self, rng):
        start = rng.choice((1024, 1028, 1152, 1148, 1156, 1012, 4, M64 - 3))
        kind = rng.randrange(5)
        if kind == 0:
            return [start] * 32
        if kind == 1:
            return [1024 + 4 * rng.randrange(64) for _ in range(32)]
        row = [max(0, start + 4 * l & M64) for l in range(32)]
        if kind == 2:
            row[rng.randrange(32)] += rng.choice((1, 4, 1 << 20))
        return [a & M64 for a in row]

    def test_random(self):
        form = shape(32)
        access, errors = WordAccess(form), 0
        for seed in range(600):
            rng = random.Random(seed)
            at, data = self.addresses(rng), [rng.getrandbits(32) for _ in range(32)]
            ex = rng.choice((form.full, 0, 0xFFFF, 0xFF0, rng.getrandbits(32)))
            packed = sum(a << 128 * l for l, a in enumerate(at))
            fast, slow = Memory(), Memory()
            for load in (True, False):
                try:
                    if load:
                        want = list(data)
                        for l in lanes(ex):
                            want[l] = slow.ld(at[l], 4)
                    else:
                        for l in slow.shuffled(ex):
                            slow.st(at[l], 4, data[l])
                except ValueError:
                    want, errors = None, errors + 1
                try:
                    if load:
                        got = form.unpack(access.load(fast.region, fast.ld, packed, form.pack(data), ex))
                    else:
                        access.store(fast, fast.region, fast.st, packed, form.pack(data), ex)
                except ValueError:
                    got = None
                if load or want is None:
                    self.assertEqual(got, want, (seed, load))
                self.assertEqual(list(fast.words), list(slow.words), (seed, load))
                want = got = True
            words, index = access.slots(fast.region, fast.ld, fast.st, packed, ex)
            for l in lanes(ex):
                try:
                    want = slow.ld(at[l], 4)
                except ValueError:
                    self.assertRaises(ValueError, lambda: words[index[l]])
                else:
                    self.assertEqual(words[index[l]], want)
        self.assertGreater(errors, 50)


class Signed(unittest.TestCase):
    def test_sign_extend_of_a_vector(self):
        form, constants = shape(32), {}
        source = parallel_loop([], ["D0=sign_extend(v[0][l]&255,8)", "v[1][l]=D0>>1&M32"], [], 32, constants)
        row = [8 * l for l in range(32)]
        r, s = [form.pack(row), 0], [M32] * 128
        exec("\n".join(source), dict(constants, r=r, s=s, X=form.selects))
        self.assertEqual(form.unpack(r[1]), [sign_extend(x & 255, 8) >> 1 & M32 for x in row])


if __name__ == "__main__":
    unittest.main(verbosity=2)
