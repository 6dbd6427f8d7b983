"""The comprehension of a lane loop means the same as the loop."""

import random
import unittest

from toolchain import REPOSITORY  # noqa: F401 (puts the emulator on the path)
from xpu_amdgpu_emulator.lanewise import comprehension, inline, lane_loop, lane_mask, live, shorten
from xpu_amdgpu_emulator.tables import lanes


class Masks(unittest.TestCase):
    def test_only_what_is_masked_already_loses_its_mask(self):
        for text, expect in {
            "((a+b)&0xffffffff)&0xffffffff": "((a+b)&0xffffffff)",
            "(((a+b)&0xffffffff))&M32": "(((a+b)&0xffffffff))",
            "(a+(b&0xffffffff))&0xffffffff": "(a+(b&0xffffffff))&0xffffffff",
            "(a|b&0xffffffff)&0xffffffff": "(a|b&0xffffffff)&0xffffffff",
            "(a<<b&0xffffffff)&0xffffffff": "(a<<b&0xffffffff)",
            "(a<b&0xffffffff)&0xffffffff": "(a<b&0xffffffff)&0xffffffff",
            "(a if b else c&0xffffffff)&0xffffffff": "(a if b else c&0xffffffff)&0xffffffff",
            "(a&0xffffffff)&0xffffffffffffffff": "(a&0xffffffff)&0xffffffffffffffff",
            "(a&0xffffffff)-(b&0xffffffff)&0xffffffff": "(a&0xffffffff)-(b&0xffffffff)&0xffffffff",
        }.items():
            self.assertEqual(shorten(text), expect)

    def test_mask_of_lanes(self):
        self.assertEqual([lane_mask(x) for x in ([0, 0], [1, 1, 1], [1, 0, 1])], [0, 7, 5])


class Statements(unittest.TestCase):
    def test_dead_ones_go(self):
        self.assertEqual(live(["a=1", "b=a+1", "c=b", "v[0][l]=a"], ()), ["a=1", "v[0][l]=a"])
        self.assertEqual(live(["a=1"], ("a",)), ["a=1"])

    def test_what_is_read_once_is_put_there(self):
        self.assertEqual(inline([("x", "a0_+1")], ["x*2"]), ([], ["(a0_+1)*2"]))
        self.assertEqual(inline([("x", "a0_+1")], ["x*x"]), ([("x", "a0_+1")], ["x*x"]))
        changed = [("x", "y+1"), ("y", "5")]
        self.assertEqual(inline(changed, ["x+y+y"])[0], changed)

    def test_shapes_without_comprehension(self):
        for body in (
            ["if a: b=1", "v[0][l]=b"],
            ["st(ADDR,4,x)"],
            ["v[0][l]=1", "x=v[0][l]"],
            ["x=1; y=2", "v[0][l]=x"],
        ):
            self.assertIsNone(comprehension(body, 32, {}))


class SameAsLoop(unittest.TestCase):
    """Random statements, run with all lanes active and, with one lane fewer, as a loop."""

    def body(self, rng):
        names, lines = ["S0", "S1"], ["S1=(v[1][l])", "S2=(v[0][l]|v[1][l]<<32)"]
        names.append("S2")
        for i in range(rng.randrange(5)):
            a, b, op = rng.choice(names), rng.choice(names), rng.choice(("+", "-", "*", "|", "&", "^"))
            lines.append(
                f"{(name := rng.choice(('t', 'u', 'w_')))}=({a}{op}{b})&{rng.choice(('0xffffffff', '0xffffffffffffffff'))}"
            )
            names.append(name)
        if rng.random() < 0.5:
            lines.append(f"if (1 if {rng.choice(names)}>{rng.choice(names)} else 0): mVCC|=1<<l")
        value = rng.choice(names)
        if rng.random() < 0.3:
            return lines + [f"v[2][l]={value}>>0&M32", f"v[0][l]={value}>>32&M32"]
        return lines + [f"v[{rng.randrange(3)}][l]={value}&M32"]

    def run_body(self, body, registers, exec_mask, fast):
        source = lane_loop(["S0=(7)", "mVCC=0"], body, ["s[106]=mVCC"], 32)
        if not fast:  # the loop alone, for all lanes
            source = [x.replace("ex==4294967295", "ex==-1") for x in source]
        s, v = [0] * 130, [list(r) for r in registers]
        s[126] = exec_mask
        exec("\n".join(source), {"s": s, "v": v, "lanes": lanes, "M32": 0xFFFFFFFF, "lane_mask": lane_mask})
        return v, s[106]

    def test_random(self):
        compared = 0
        for seed in range(400):
            rng = random.Random(seed)
            body = self.body(rng)
            registers = [
                [rng.choice((0, 1, 0xFFFFFFFF, rng.getrandbits(32))) for _ in range(32)] for _ in range(3)
            ]
            compared += comprehension(body, 32, {}) is not None
            for mask in (0xFFFFFFFF, 0x7FFFFFFF):
                self.assertEqual(
                    self.run_body(body, registers, mask, True),
                    self.run_body(body, registers, mask, False),
                    (seed, body),
                )
        self.assertGreater(compared, 300)


if __name__ == "__main__":
    unittest.main(verbosity=2)
