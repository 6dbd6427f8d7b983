"""A wave and a workgroup: registers, LDS, scratch, barriers, and what a wave has outstanding."""

from .memory import Region
from .numeric import M32, EmuError, Unsupported
from .tables import PRIVATE_HI, SHARED_HI, lanes

RUNNING, AT_BARRIER, ENDED = range(3)


class Wave:
    """One wave. `state` is RUNNING, AT_BARRIER or ENDED; `pc` is where it goes on, `at` the instruction that may fail."""

    def __init__(self, gpu, group, ws, n, index, rng):
        self.gpu, self.wg, self.ws, self.idx, self.n = gpu, group, ws, index, n
        self.scc, self.state, self.pc, self.at, self.mode = 0, RUNNING, 0, 0, 0
        poison = rng.getrandbits(32) | 0x80000001
        self.v = gpu.rubbish[poison >> 8 & len(gpu.rubbish) - 1][:]
        self.s = [poison] * 130
        self.priv = {}
        self.set_exec((1 << n) - 1)
        self.ld, self.st, self.atomic_ld = gpu.memory.ld, gpu.memory.st, gpu.memory.atomic_ld
        self.target = 0  # the phase of the barrier for which it has signalled
        self.cu, self.counts, self.unordered, self.wants = None, {}, [], None

    def exec(self):
        return self.s[126] | self.s[127] << 32 if self.ws == 64 else self.s[126]

    def vcc(self):
        return self.s[106] | self.s[107] << 32 if self.ws == 64 else self.s[106]

    def set_exec(self, x):
        self.s[126] = x & M32
        if self.ws == 64:
            self.s[127] = x >> 32 & M32

    def shuffled(self, ex):
        """The active lanes in a random order: those of one atomic or store instruction take place in any."""
        if ex & (ex - 1) == 0:
            return lanes(ex)
        order = self.gpu.order()
        if ex == self.gpu.full:
            return order
        return [l for l in order if ex >> l & 1]

    # scratch and flat memory
    def private(self, l, a, n, what):
        size = self.gpu.private
        if a + n > size:
            raise EmuError(f"scratch {what} of {n} bytes at {a}, of {size}")
        m = self.priv.get(l)
        if m is None:
            m = self.priv[l] = bytearray(size)
        return m

    def private_load(self, l, a, n):
        return int.from_bytes(self.private(l, a, n, "load")[a : a + n], "little")

    def private_store(self, l, a, n, x):
        self.private(l, a, n, "store")[a : a + n] = x.to_bytes(n, "little")

    def flat_load(self, l, ld, a, n):
        h = a >> 32
        return (
            self.wg.lds_load(a & M32, n)
            if h == SHARED_HI
            else self.private_load(l, a & M32, n)
            if h == PRIVATE_HI
            else ld(a, n)
        )

    def flat_store(self, l, st, a, n, x):
        h = a >> 32
        if h == SHARED_HI:
            self.wg.lds_store(a & M32, n, x)
        elif h == PRIVATE_HI:
            self.private_store(l, a & M32, n, x)
        else:
            st(a, n, x)

    # barriers
    def signal(self):
        self.target = self.wg.phase + 1
        self.wg.arrive()

    def await_barrier(self):
        if self.target > self.wg.phase:
            self.state = AT_BARRIER

    # the weak mode
    def issue(self, op, items):
        self.gpu.caches.issue(self, op, items)

    def wait(self, counter, most):
        """Whether at most `most` operations of the counter are outstanding; they are reported in the order of issue."""
        queue = self.counts.get(counter)
        if not queue:
            return True
        while queue and queue[0].done:
            queue.popleft()
        if len(queue) <= most:
            return True
        self.wants = (counter, most)
        return False

    def dpp(self, l, c, ex, fi):  # DPP16 lane select: (source lane, valid)
        row, i = l & ~15, l & 15
        k = None
        if c < 0x100:
            k = (l & ~3) | (c >> 2 * (l & 3) & 3)
        elif 0x101 <= c <= 0x10F:
            k = row + i + (c & 15) if i + (c & 15) < 16 else None
        elif 0x111 <= c <= 0x11F:
            k = row + i - (c & 15) if i >= (c & 15) else None
        elif 0x121 <= c <= 0x12F:
            k = row + (i - (c & 15)) % 16
        elif c == 0x140:
            k = row + 15 - i
        elif c == 0x141:
            k = (l & ~7) + 7 - (l & 7)
        elif self.gpu.arch == "cdna" and c == 0x142:
            k = row - 1 if row else None
        elif self.gpu.arch == "cdna" and c == 0x143:
            k = 31 if l >= 32 else None
        elif self.gpu.arch != "cdna" and 0x150 <= c <= 0x15F:
            k = row + (c & 15)
        elif self.gpu.arch != "cdna" and 0x160 <= c <= 0x16F:
            k = row + (i ^ (c & 15))
        else:
            raise Unsupported(f"dpp control {hex(c)}")
        ok = k is not None and (fi or ex >> k & 1)
        return (k if ok else 0), ok


class Group:
    """A workgroup: its LDS and its barrier, which has a phase that all its waves leave together."""

    def __init__(self, lds, rng):
        self.lds, self.waves, self.phase, self.arrived = bytearray(rng.randbytes(lds)), [], 0, 0
        self.memory = Region(0, self.lds, "LDS")

    def arrive(self):
        self.arrived += 1
        self.complete()

    def complete(self):
        """Opens the barrier if every wave that has not ended has signalled."""
        alive = sum(w.state != ENDED for w in self.waves)
        if not self.arrived or self.arrived < alive:
            return
        self.phase, self.arrived = self.phase + 1, 0
        for w in self.waves:
            if w.state == AT_BARRIER and w.target <= self.phase:
                w.state = RUNNING
                w.gpu.runnable.append(w)

    def region(self, a):
        """All of LDS, if it has the four bytes at `a`."""
        return self.memory if a + 4 <= len(self.lds) else None

    def lds_load(self, a, n):
        a &= M32
        if a + n > len(self.lds):
            raise EmuError(f"LDS load of {n} bytes at {a}, of {len(self.lds)}")
        return int.from_bytes(self.lds[a : a + n], "little")

    def lds_store(self, a, n, x):
        a &= M32
        if a + n > len(self.lds):
            raise EmuError(f"LDS store of {n} bytes at {a}, of {len(self.lds)}")
        self.lds[a : a + n] = x.to_bytes(n, "little")
