"""A vector register as one number: lane `l` is its 128 bits from bit 128*l on, of which a register uses 32.

Python adds, shifts and masks such a number for all lanes in about the time that one lane takes. The bits above a lane's 32 are room
for carries, 64-bit values and products with a scalar.
"""

import functools
import re
import struct

SLOT = 128
M32, M64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
TOP = (1 << SLOT - 1) - 1  # the largest value of a lane
REGISTER = re.compile(r"\bv\[(\d+)\]")
WRITTEN = re.compile(r"\bv\[(\d+)\](?:\[\w+\])?=(?!=)")


class Shape:
    """What depends on the number of lanes."""

    def __init__(self, ws):
        self.ws, self.size, self.full = ws, ws * SLOT // 8, (1 << ws) - 1
        self.one = sum(1 << SLOT * l for l in range(ws))  # 1 in each lane
        self.iota = sum(l << SLOT * l for l in range(ws))
        self.spreader = sum(1 << (SLOT - 1) * l for l in range(ws))
        self.digits = self.one * 0x30  # ASCII
        self.words, self.longs = struct.Struct("<" + "I12x" * ws), struct.Struct("<" + "Q8x" * ws)
        self.selects = Selects(self)

    def unpack(self, x):
        """The low 32 bits of every lane, as a list."""
        return list(self.words.unpack(x.to_bytes(self.size, "little")))

    def unpack64(self, x):
        """The low 64 bits of every lane."""
        return self.longs.unpack(x.to_bytes(self.size, "little"))

    def pack(self, values):
        """The register of a list of 32-bit values."""
        return int.from_bytes(self.words.pack(*values), "little")

    def spread(self, mask):
        """Bit `l` of a mask as the value of lane `l`."""
        return mask * self.spreader & self.one

    def mask(self, truths):
        """The mask of the lanes whose value is 1; the others' is 0."""
        if not truths:
            return 0
        if truths == self.one:
            return self.full
        return int((truths | self.digits).to_bytes(self.size, "big")[SLOT // 8 - 1 :: SLOT // 8], 2)

    def place(self, lanes, values, old, ex):
        """`old` with the values of the lanes of `ex`, which `lanes` lists."""
        row = [0] * self.ws
        for l, x in zip(lanes, values):
            row[l] = x
        select = self.selects[ex]
        return old ^ (old ^ self.pack(row)) & select


class Selects(dict):
    """All bits of the lanes of a mask."""

    MOST = 4096

    def __init__(self, shape):
        super().__init__()
        self.shape = shape

    def __missing__(self, mask):
        if len(self) >= self.MOST:
            self.clear()
        x = self.shape.spread(mask)
        self[mask] = select = (x << SLOT) - x
        return select


@functools.lru_cache(None)
def shape(ws):
    return Shape(ws)


def listed(lines):
    """Statements on registers as lists, `v[N]`, with the conversions from and to packed registers, `r[N]`."""
    text = "\n".join(lines)
    touched = sorted({int(n) for n in REGISTER.findall(text)})
    if not touched:
        return lines
    written = sorted({int(n) for n in WRITTEN.findall(text)})
    before = [f"v{n}_=unpack(r[{n}])" for n in touched]
    after = [f"r[{n}]=pack(v{n}_)" for n in written]
    return before + [REGISTER.sub(r"v\1_", x) for x in lines] + after
