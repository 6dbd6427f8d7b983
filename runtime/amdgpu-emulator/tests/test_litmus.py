"""Litmus tests in the weak memory mode: as LLVM compiles them, no forbidden outcome; with a fault put in, some."""

import re
import unittest

from litmus import TESTS, forbidden, litmus_ir
from toolchain import assemble, build, compile_ir

CHIPS = ("gfx1100", "gfx1151", "gfx942", "gfx1200")
SCOPES = ("agent", "workgroup")
INSTANCES, SEEDS = 40, 6
FAULT_SEEDS = 120  # at most; most faults show with the first


def drop(pattern):
    """Without the instructions whose text matches."""
    return lambda text: re.sub(rf"(?m)^\s*{pattern}.*\n", "", text)


def change(pattern, by):
    return lambda text: re.sub(pattern, by, text)


def both(first, second):
    return lambda text: second(first(text))


WAIT_BEFORE_LOAD = change(r"s_waitcnt vmcnt\(0\)\n(\s*global_load)", r"\1")

# chip, test, scope, what is wrong, the change to the assembly
FAULTS = [
    ("gfx1100", "MP", "agent", "no L1 invalidate", drop("buffer_gl1_inv")),
    ("gfx1100", "MP", "agent", "no L0 invalidate", drop("buffer_gl0_inv")),
    ("gfx1100", "MP", "agent", "stores not waited for", drop("s_waitcnt_vscnt")),
    ("gfx1100", "MP", "workgroup", "no L0 invalidate", drop("buffer_gl0_inv")),
    ("gfx1100", "MP", "workgroup", "stores not waited for", drop("s_waitcnt_vscnt")),
    ("gfx1100", "MP+fences", "agent", "no L1 invalidate", drop("buffer_gl1_inv")),
    ("gfx1100", "SB", "agent", "stores not waited for", drop("s_waitcnt_vscnt")),
    ("gfx1100", "SB", "workgroup", "stores not waited for", drop("s_waitcnt_vscnt")),
    (
        "gfx1100",
        "IRIW",
        "agent",
        "loads that neither pass caches nor invalidate",
        both(change(" glc", ""), drop("buffer_gl._inv")),
    ),
    ("gfx1151", "MP", "agent", "no L1 invalidate", drop("buffer_gl1_inv")),
    ("gfx1151", "MP", "agent", "no L0 invalidate", drop("buffer_gl0_inv")),
    ("gfx942", "MP", "agent", "no invalidate", drop("buffer_inv")),
    ("gfx942", "MP", "agent", "invalidate of L1 alone", change("buffer_inv sc1", "buffer_inv sc0")),
    ("gfx942", "MP", "agent", "no L2 write-back", drop("buffer_wbl2")),
    ("gfx942", "MP+fences", "agent", "no L2 write-back", drop("buffer_wbl2")),
    ("gfx942", "SB", "agent", "store not waited for", WAIT_BEFORE_LOAD),
    (
        "gfx942",
        "IRIW",
        "agent",
        "loads that neither pass caches nor invalidate",
        both(change("(global_load.*) sc1", r"\1"), drop("buffer_inv")),
    ),
    ("gfx1200", "MP", "agent", "no invalidate", drop("global_inv")),
    (
        "gfx1200",
        "MP",
        "agent",
        "invalidate of too narrow a scope",
        change("global_inv scope:SCOPE_DEV", "global_inv scope:SCOPE_CU"),
    ),
    ("gfx1200", "MP", "agent", "stores not waited for", drop("s_wait_storecnt")),
    ("gfx1200", "MP", "workgroup", "no invalidate", drop("global_inv")),
    ("gfx1200", "SB", "agent", "stores not waited for", drop("s_wait_storecnt")),
    (
        "gfx1200",
        "IRIW",
        "agent",
        "loads of too narrow a scope",
        both(change("(global_load.*) scope:SCOPE_DEV", r"\1"), drop("global_inv")),
    ),
]


class AsCompiled(unittest.TestCase):
    """Nothing forbidden happens."""


class WithFaults(unittest.TestCase):
    """Something forbidden happens within a few seeds. At workgroup scope and narrower, too narrow a scope is the fault."""

    def test_narrow_scopes(self):
        for chip, narrow in (("gfx1100", "workgroup"), ("gfx942", "workgroup"), ("gfx1200", "wavefront")):
            with self.subTest(chip=chip):
                ir = litmus_ir("MP", "agent").replace('"agent"', f'"{narrow}"')
                self.assertTrue(found(assemble(compile_ir(ir, chip), chip), "MP", "agent"))


def found(code, test, scope):
    return any(forbidden(code, test, scope, INSTANCES, seed) for seed in range(FAULT_SEEDS))


def add_as_compiled(chip, scope, test):
    def check(self):
        code = build(litmus_ir(test, scope), chip)
        bad = {seed: n for seed in range(SEEDS) if (n := forbidden(code, test, scope, INSTANCES, seed))}
        self.assertEqual(bad, {}, "forbidden outcomes by seed")

    setattr(AsCompiled, f"test_{chip}_{scope}_{test.replace('+', '_')}", check)


def add_fault(chip, test, scope, what, fault):
    def check(self):
        text = compile_ir(litmus_ir(test, scope), chip)
        wrong = fault(text)
        self.assertNotEqual(wrong, text, "the fault changes nothing")
        self.assertTrue(found(assemble(wrong, chip), test, scope), f"not found with {FAULT_SEEDS} seeds")

    setattr(WithFaults, "test_" + re.sub(r"\W+", "_", f"{chip}_{test}_{scope}_{what}"), check)


for chip in CHIPS:
    for scope in SCOPES:
        for test in TESTS:
            add_as_compiled(chip, scope, test)
for row in FAULTS:
    add_fault(*row)

if __name__ == "__main__":
    unittest.main(verbosity=2)
