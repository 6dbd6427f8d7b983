"""Random programs give the same bits in the emulator as compiled for the host."""

import platform
import unittest

from random_ir import difference

SEEDS = 8
FORMS = {
    "gfx1100": (),
    "gfx1151": (),
    "gfx942": (),
    "gfx1200": (),
    "gfx1100_wave64": ("-mattr=+wavefrontsize64",),
}


@unittest.skipUnless(platform.machine() == "x86_64", "the host's side is compiled for x86-64")
class SameAsHost(unittest.TestCase):
    pass


def add(form, options, memory, seeds):
    def check(self):
        for seed in seeds:
            self.assertIsNone(difference(seed, form.split("_")[0], options, memory))

    setattr(SameAsHost, f"test_{form}_{memory}", check)


for form, options in FORMS.items():
    add(form, options, "strong", range(SEEDS))
    add(form, options, "weak", range(100, 100 + SEEDS // 4))

if __name__ == "__main__":
    unittest.main(verbosity=2)
