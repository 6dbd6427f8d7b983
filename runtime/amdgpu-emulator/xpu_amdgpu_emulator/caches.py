"""The weak memory mode: caches that go stale, and operations that take place some time after they issue.

What each family of chips has, and what its cache-policy bits and cache controls do, follows LLVM's AMDGPU memory model:

- gfx11: an L0 for each compute unit, an L1 for each shader array, one L2. `glc` loads pass L0 and L1.
- gfx12: an L0 for each compute unit, one L2. A load passes the caches below its scope; stores are complete in L2.
- gfx94x: an L1 for each compute unit (called L0 here), and an L2 for each of two XCDs, which keeps dirty bytes until they are
  written back. `sc1` accesses and all atomics take place in memory.

Stores write through the first level and drop the line from the caches they pass, not from those of other compute units. A cache may
fetch any line at any time, as another program's access could make it: so it holds old values of lines that its waves never read.

Operations of one compute unit on the same line take place in the order of issue, all others in any order; LDS operations of one wave in
theirs. An operation takes place at the latest when a wait for its counter, or the order just named, needs it, or at the end.
"""

from collections import deque

from .memory_instructions import DEVICE, L0, L1, L2
from .numeric import EmuError
from .outstanding import LINE, Pending

SIZE = 1 << LINE
CLUSTERS, UNITS_OF_CLUSTER, UNITS_OF_PROCESSOR = (
    2,
    4,
    2,
)  # a cluster is a shader array or an XCD, a processor a WGP
SLOW, SPONTANEOUS, STRAY, EVICTION, PREFETCH = 0.3, 0.25, 1 / 48, 1 / 192, 1 / 8
MOST_OUTSTANDING = 60  # of a wave: the hardware's counters have 6 bits
GLOBAL = ("load", "store", "atomic", "writeback")


class Unit:
    """A compute unit, or a scalar cache: its first-level cache, the caches behind it, and its operations in order of issue."""

    def __init__(self, l1, l2):
        self.l0, self.l1, self.l2, self.pending, self.access = {}, l1, l2, [], {}


class Caches:
    """The memory system of one launch."""

    def __init__(self, gpu, wgp_mode):
        self.memory, self.rng, self.arch, self.wgp_mode = gpu.memory, gpu.rng, gpu.arch, wgp_mode
        self.units, self.scalars, self.shared = [], [], []
        for _ in range(CLUSTERS):
            l1 = {} if self.arch == "rdna3" else None
            l2 = {} if self.arch == "cdna" else None
            self.shared.append((l1, l2))
            for i in range(UNITS_OF_CLUSTER):
                self.units.append(Unit(l1, l2))
                if i % UNITS_OF_PROCESSOR == 0:
                    self.scalars.append(Unit(l1, l2))
        self.pending, self.touched = [], [0] * 32

    def place(self, group):
        """Puts the waves of a workgroup on the compute units of one WGP, or on one compute unit."""
        first = self.rng.randrange(len(self.units))
        spread = self.wgp_mode and self.arch != "cdna"
        for w in group.waves:
            w.cu = first & ~1 | self.rng.randrange(2) if spread else first
            w.unit, w.scalar_unit = self.units[w.cu], self.scalars[w.cu // UNITS_OF_PROCESSOR]
            w.pending = []

    # issue and completion
    def issue(self, w, op, items):
        rng, kind = self.rng, op.kind
        if kind == "invalidate":
            self.invalidate(w.unit, op.level)
        if kind == "private":
            op.perform(w, items, None, None)
        if kind in ("load", "store", "atomic"):
            n = op.width - 1
            lines = {x[1] >> LINE for x in items} | {x[1] + n >> LINE for x in items}
            for line in lines:
                self.touched[int(rng.random() * 32)] = line
        else:
            lines = ()
        p = Pending(op, w, items, lines, rng.random() < SLOW, w.at)
        if kind in ("invalidate", "private", "nothing"):
            p.done = True
        else:
            self.pending.append(p)
            w.pending.append(p)
            if kind in GLOBAL:
                w.unit.pending.append(p)
        for c in op.counters:
            queue = w.counts.get(c)
            if queue is None:
                queue = w.counts[c] = deque()
            queue.append(p)
        if len(w.pending) > MOST_OUTSTANDING:
            self.perform(w.pending[0])

    def blocker(self, p):
        """An earlier operation that has to take place before `p`."""
        if p.op.level == ("flat",):  # may be of any memory: after everything of its wave
            if p.wave.pending[0] is not p:
                return p.wave.pending[0]
        elif p.op.kind == "lds":
            return next(
                (q for q in p.wave.pending if q.op.kind == "lds" or q is p or q.op.level == ("flat",)), p
            )
        elif p.op.kind == "scalar":
            return p
        for q in p.wave.unit.pending:
            if q is p:
                return p
            if q.op.kind == "writeback":
                continue
            if q.wave is p.wave if p.op.kind == "writeback" else not q.lines.isdisjoint(p.lines):
                return q
        return p

    def perform(self, p):
        """Makes one operation take place: `p`, or one that has to come before it."""
        while (q := self.blocker(p)) is not p:
            p = q
        w, kind = p.wave, p.op.kind
        try:
            if kind == "writeback":
                self.write_back(w.unit.l2)
            elif kind == "lds":
                p.op.perform(w, p.items, w.wg.lds_load, w.wg.lds_store)
            elif kind == "scalar":
                p.op.perform(w, p.items, *self.doors(w.scalar_unit, "load", L0))
            else:
                p.op.perform(w, p.items, *self.doors(w.unit, kind, p.op.reach))
        except EmuError as e:
            raise EmuError(f"wave {w.idx} pc {p.at - w.gpu.base:#x} {p.op.text}: {e}") from None
        p.done = True
        self.pending.remove(p)
        w.pending.remove(p)
        if kind in GLOBAL:
            w.unit.pending.remove(p)

    def serve(self, w):
        """Brings a waiting wave nearer to what it waits for."""
        (counter, most), w.wants = w.wants, None
        queue = w.counts[counter]
        needed = [p for i, p in enumerate(queue) if not p.done and i < len(queue) - most]
        if needed:
            self.perform(needed[int(self.rng.random() * len(needed))])

    def advance(self, w):
        """Chance, before a wave goes on. True if an operation of the wave took place instead."""
        rng = self.rng
        r = rng.random()
        if r < STRAY:
            if self.pending:
                self.perform(self.pending[int(rng.random() * len(self.pending))])
        elif r < STRAY + EVICTION:
            self.evict()
        elif r < STRAY + EVICTION + PREFETCH:
            self.read(w.unit, self.touched[int(rng.random() * 32)] + int(rng.random() * 4), L0)
        if w.pending and rng.random() < SPONTANEOUS:
            p = w.pending[int(rng.random() * len(w.pending))]
            if not p.slow:
                self.perform(p)
                return True
        return False

    def drain(self):
        """The end of a launch: everything takes place and is written back."""
        while self.pending:
            self.perform(self.pending[int(self.rng.random() * len(self.pending))])
        for _, l2 in self.shared:
            self.write_back(l2)

    # caches
    def doors(self, unit, kind, reach):
        """The functions through which an operation reads and writes memory."""
        known = unit.access.get((kind, reach))
        if known is None:
            atomic = kind == "atomic"
            if atomic and reach != L0:
                load = lambda a, n: self.atomic_load(unit, a, n)
            else:
                load = lambda a, n: self.load(unit, a, n, reach, atomic)
            known = unit.access[(kind, reach)] = (load, lambda a, n, x: self.store(unit, a, n, x, reach))
        return known

    def load(self, unit, a, n, reach, aligned=False):
        self.memory.find(a, n)
        if aligned and a % n:
            raise EmuError(f"unaligned atomic of {n} bytes at {a:#x}")
        line, o = a >> LINE, a & SIZE - 1
        if o + n <= SIZE:
            return int.from_bytes(self.read(unit, line, reach)[o : o + n], "little")
        both = bytes(self.read(unit, line, reach)) + bytes(self.read(unit, line + 1, reach))
        return int.from_bytes(both[o : o + n], "little")

    def read(self, unit, line, reach):
        """The bytes of a line as the unit sees them, from the nearest cache that may serve the access."""
        if reach == L0:
            data = unit.l0.get(line)
            if data is None:
                data = unit.l0[line] = self.read_shared(unit, line, reach)
            return data
        unit.l0.pop(line, None)
        return self.read_shared(unit, line, reach)

    def read_shared(self, unit, line, reach):
        l1, l2 = unit.l1, unit.l2
        if l1 is not None:
            if reach <= L1:
                data = l1.get(line)
                if data is None:
                    data = l1[line] = self.memory.line(line << LINE, SIZE)
                return data
            l1.pop(line, None)
        if l2 is not None:
            if reach <= L2:
                return bytes(self.l2_line(l2, line)[0])
            self.flush(l2, line)
        return self.memory.line(line << LINE, SIZE)

    def l2_line(self, l2, line):
        """A line of an XCD's L2, as its bytes and the set of those that are dirty."""
        data = l2.get(line)
        if data is None:
            data = l2[line] = (bytearray(self.memory.line(line << LINE, SIZE)), set())
        return data

    def flush(self, l2, line):
        """Writes the dirty bytes of a line back and drops it."""
        data, dirty = l2.pop(line, (None, ()))
        for o in dirty:
            self.memory.st((line << LINE) + o, 1, data[o])

    def store(self, unit, a, n, x, reach):
        self.memory.find(a, n)
        for line in {a >> LINE, a + n - 1 >> LINE}:
            unit.l0.pop(line, None)
            if unit.l1 is not None:
                unit.l1.pop(line, None)
            if unit.l2 is not None and reach == DEVICE:
                self.flush(unit.l2, line)
        if unit.l2 is None or reach == DEVICE:
            self.memory.st(a, n, x)
            return
        for i, byte in enumerate(x.to_bytes(n, "little")):
            data, dirty = self.l2_line(unit.l2, a + i >> LINE)
            o = a + i & SIZE - 1
            data[o] = byte
            dirty.add(o)

    def atomic_load(self, unit, a, n):
        """The read of an atomic, where it takes place: in L2, or on gfx94x in memory."""
        self.memory.find(a, n)
        line = a >> LINE
        unit.l0.pop(line, None)
        if unit.l1 is not None:
            unit.l1.pop(line, None)
        if unit.l2 is not None:
            self.flush(unit.l2, line)
        return self.memory.atomic_ld(a, n)

    def invalidate(self, unit, levels):
        if L0 in levels:
            unit.l0.clear()
        if L1 in levels and unit.l1 is not None:
            unit.l1.clear()
        if L2 in levels and unit.l2 is not None:
            for line in list(unit.l2):
                self.flush(unit.l2, line)

    def write_back(self, l2):
        for line, (data, dirty) in (l2 or {}).items():
            for o in dirty:
                self.memory.st((line << LINE) + o, 1, data[o])
            dirty.clear()

    def evict(self):
        """Drops a line of some cache, as one that is full does."""
        rng = self.rng
        unit = self.units[int(rng.random() * len(self.units))]
        for cache in (unit.l0, unit.l1, unit.l2):
            if not cache or rng.random() < 0.5:
                continue
            line = list(cache)[int(rng.random() * len(cache))]
            if cache is unit.l2:
                self.flush(cache, line)
            else:
                del cache[line]
            return
