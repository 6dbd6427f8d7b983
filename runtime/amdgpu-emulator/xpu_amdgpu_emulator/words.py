"""Accesses of all lanes to 32-bit words at once: most of them follow each other, or are one word."""

from .packed import M64, SLOT
from .tables import lanes


class Doors:
    """Words by their addresses, each access through functions that check it: where lanes are of several buffers, or wrong."""

    def __init__(self, ld, st):
        self.ld, self.st = ld, st

    def __getitem__(self, a):
        return self.ld(a, 4)

    def __setitem__(self, a, x):
        self.st(a, 4, x)


class WordAccess:
    """For waves of one size. A memory has `region(a)`, the region with the word at `a` or nothing, and functions for one lane.

    Addresses have at most 64 bits.
    """

    def __init__(self, shape):
        self.shape, self.one, self.selects = shape, shape.one, shape.selects
        self.steps, self.odd = 4 * shape.iota, 3 * shape.one

    def run(self, addresses, ex):
        """The first and last active lanes, the address of the first, and whether each lane's word follows the one before."""
        first, last = (ex & -ex).bit_length() - 1, ex.bit_length() - 1
        a = addresses >> SLOT * first & M64
        base = a - 4 * first
        if base < 0 or a & 3:
            return first, last, a, False
        differ = addresses ^ (self.one * base + self.steps)
        return first, last, a, not (differ if ex == self.shape.full else differ & self.selects[ex])

    def load(self, region, ld, addresses, old, ex):
        """The register `old` after a load."""
        if not ex:
            return old
        shape = self.shape
        first, last, a, follows = self.run(addresses, ex)
        r = region(a)
        if r is not None and follows:
            i = a - r.low >> 2
            row = r.words[i : i + last - first + 1].tolist()
            if len(row) == last - first + 1:
                new = shape.pack(row if len(row) == shape.ws else [0] * first + row + [0] * (shape.ws - 1 - last))
                return new if ex == shape.full else old ^ (old ^ new) & self.selects[ex]
        differ = addresses ^ self.one * a
        if not (differ if ex == shape.full else differ & self.selects[ex]):
            new = self.one * ld(a, 4)
            return new if ex == shape.full else old ^ (old ^ new) & self.selects[ex]
        active = shape.unpack64(addresses)
        if ex == shape.full:
            return shape.pack(self.gather(r, ld, active))
        which = lanes(ex)
        return shape.place(which, self.gather(r, ld, [active[l] for l in which]), old, ex)

    def gather(self, r, ld, addresses):
        if self.inside(r, addresses):
            low, words = r.low, r.words
            return [words[a - low >> 2] for a in addresses]
        return [ld(a, 4) for a in addresses]

    def inside(self, r, addresses):
        """Whether all are aligned words of the region."""
        if r is None or min(addresses) < r.low or max(addresses) > r.low + r.size - 4:
            return False
        return not any([a & 3 for a in addresses])

    def store(self, w, region, st, addresses, data, ex):
        if not ex:
            return
        shape = self.shape
        first, last, a, follows = self.run(addresses, ex)
        r = region(a)
        if r is not None and follows and ex >> first == (2 << last - first) - 1:
            i, n = a - r.low >> 2, last - first + 1
            if i + n <= len(r.words):
                row = memoryview(data.to_bytes(shape.size, "little")).cast("I")[:: SLOT // 32]
                r.words[i : i + n] = row[first : last + 1]
                return
        at, values = shape.unpack64(addresses), shape.unpack(data)
        for l in w.shuffled(ex):
            st(at[l], 4, values[l])

    def slots(self, region, ld, st, addresses, ex):
        """Words, and the index of each lane's word in them."""
        if not ex:
            return (), ()
        all_lanes = self.shape.unpack64(addresses)
        active = all_lanes if ex == self.shape.full else [all_lanes[l] for l in lanes(ex)]
        r = region(active[0])
        if self.inside(r, active):
            low = r.low
            return r.words, [a - low >> 2 for a in all_lanes]
        return Doors(ld, st), all_lanes
