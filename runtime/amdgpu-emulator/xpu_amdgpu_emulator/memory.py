"""Global memory: buffers with bounds, as every access in the strong mode and the last level of the weak mode sees them."""

from .numeric import EmuError

FIRST_ADDRESS = 0x7F0000000000


class Region:
    """A buffer at an address. `words` views it as 32-bit words where its size allows."""

    __slots__ = ("low", "size", "data", "words", "name")

    def __init__(self, low, data, name):
        self.low, self.size, self.data, self.name = low, len(data), data, name
        self.words = memoryview(data)[: len(data) & ~3].cast("I") if len(data) >= 4 else None


class Memory:
    """All buffers. Each starts on a 64 KiB boundary of its own, so that an access beyond one hits none."""

    def __init__(self):
        self.regions, self.next = [], FIRST_ADDRESS
        self.last = Region(0, bytearray(0), "nothing")

    def allocate(self, data, name="buffer"):
        data = bytearray(data)
        low = self.next
        self.regions.append(Region(low, data, name))
        self.next += (len(data) + 0x1FFFF) & ~0xFFFF
        return low

    def truncate(self, count):
        """Frees all regions after the first `count`."""
        del self.regions[count:]
        self.last = Region(0, bytearray(0), "nothing")

    def find(self, a, n):
        for r in self.regions:
            if r.low <= a and a + n <= r.low + r.size:
                self.last = r
                return r
        raise EmuError(f"access of {n} bytes at {a:#x} is outside every buffer{self.nearest(a)}")

    def nearest(self, a):
        if not self.regions:
            return ""
        r = min(self.regions, key=lambda r: min(abs(a - r.low), abs(a - r.low - r.size)))
        return f" (nearest: {r.name} {r.low:#x}..{r.low + r.size:#x})"

    def ld(self, a, n):
        r = self.last
        o = a - r.low
        if o < 0 or o + n > r.size:
            r = self.find(a, n)
            o = a - r.low
        if n == 4 and not o & 3:
            return r.words[o >> 2]
        return int.from_bytes(r.data[o : o + n], "little")

    def st(self, a, n, x):
        r = self.last
        o = a - r.low
        if o < 0 or o + n > r.size:
            r = self.find(a, n)
            o = a - r.low
        if n == 4 and not o & 3:
            r.words[o >> 2] = x
        else:
            r.data[o : o + n] = x.to_bytes(n, "little")

    def region(self, a):
        """The buffer that has the four bytes at `a`, or nothing."""
        r = self.last
        if r.low <= a <= r.low + r.size - 4:
            return r
        for r in self.regions:
            if r.low <= a <= r.low + r.size - 4:
                self.last = r
                return r
        return None

    def atomic_ld(self, a, n):
        """The read of an atomic, which has to be aligned."""
        if a % n:
            raise EmuError(f"unaligned atomic of {n} bytes at {a:#x}")
        return self.ld(a, n)

    def line(self, a, n):
        """The `n` bytes at `a`, zeros where no buffer is: a cache line may hang over the end of a buffer."""
        r = self.last
        if not (r.low <= a and a + n <= r.low + r.size):
            r = next((r for r in self.regions if r.low < a + n and a < r.low + r.size), None)
            if r is None:
                return bytes(n)
        o = a - r.low
        if o >= 0 and o + n <= r.size:
            return bytes(r.data[o : o + n])
        head = bytes(max(0, -o))
        return (head + bytes(r.data[max(0, o) : o + n])).ljust(n, b"\0")
