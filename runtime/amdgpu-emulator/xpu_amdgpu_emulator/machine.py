"""The machine: loads a code object, places workgroups, and interleaves their waves."""

import random
import struct

from .caches import Caches
from .code_object import CodeObject
from .compiler import Compiler
from .memory import Memory
from .numeric import M32, EmuError
from .packed import shape
from .wave import ENDED, Group, Wave

SCHEDULES = ("random", "rr", "seq")
MEMORY_MODES = ("strong", "weak")
ORDERS = 32  # of the lanes of a wave
RUBBISH = 4  # sets of registers that waves start with


class Gpu:
    """A device with a code object loaded.

    >>> gpu = Gpu(open("k.hsaco", "rb").read())
    >>> a = gpu.alloc(bytes(64))
    >>> gpu.launch("k", grid=2, block=64, args=struct.pack("<Q", a), seed=1, memory="weak")
    >>> gpu.read(a, 64)
    """

    def __init__(self, elf):
        self.code = CodeObject(elf)
        self.cpu, self.arch = self.code.cpu, self.code.arch
        self.memory, self.steps = Memory(), 0
        self.base = self.memory.allocate(self.code.image, "code object")
        self.image = self.memory.regions[-1].data
        self.code.place(self.base, self.image)
        self.compilers, self.blocks, self.runnable = {}, {}, []

    def kernels(self):
        return self.code.kernels()

    def alloc(self, data, name="buffer"):
        return self.memory.allocate(data, name)

    def read(self, a, n):
        r = self.memory.find(a, n)
        return bytes(r.data[a - r.low : a - r.low + n])

    def order(self):
        """A random order of the lanes of a wave."""
        return self.orders[int(self.rng.random() * ORDERS)]

    def code_at(self, pc):
        o = pc - self.base
        if not 0 <= o < len(self.image) or o & 3:
            raise EmuError(f"pc {pc:#x} is outside the code object")
        return bytes(self.image[o : o + 24]).ljust(24, b"\0")

    def launch(
        self,
        name,
        grid,
        block,
        args,
        seed=0,
        sched="random",
        resident=4,
        limit=200_000_000,
        lds_dyn=0,
        trace=False,
        memory="strong",
    ):
        """Runs a kernel; the result is how many wave instructions it executed.

        `grid` counts workgroups and `block` work-items, each a number or up to three. `sched` is random, rr (round robin) or
        seq (each wave runs to its barrier or end), `memory` strong or weak.
        """
        if memory not in MEMORY_MODES:
            raise EmuError(f'no memory mode "{memory}": it is {" or ".join(MEMORY_MODES)}')
        if sched not in SCHEDULES:
            raise EmuError(f'no schedule "{sched}": it is {", ".join(SCHEDULES)}')
        t3 = lambda x: tuple(x) + (1,) * (3 - len(x)) if isinstance(x, (tuple, list)) else (x, 1, 1)
        g, b = t3(grid), t3(block)
        d = self.code.descriptor(name)
        self.rng, self.sched = random.Random(seed), sched
        self.form, self.orders, self.full = shape(d.wave_size), [], (1 << d.wave_size) - 1
        for _ in range(ORDERS):
            order = list(range(d.wave_size))
            if sched != "seq":
                self.rng.shuffle(order)
            self.orders.append(order)
        self.private = d.private
        # registers start with rubbish, as on hardware
        rubbish, one = random.Random(seed), self.form.one
        registers = range(min(512, d.vector_registers))
        self.rubbish = [
            [one * (rubbish.getrandbits(32) | 0x80000001) for _ in registers] for _ in range(RUBBISH)
        ]
        key = (d.wave_size, memory, trace)
        self.comp = self.compilers.setdefault(key, Compiler(self.arch, d.wave_size, memory == "weak"))
        self.blocks = self.comp.__dict__.setdefault("blocks", {})
        hidden = (len(args) + 7) & ~7
        if d.kernarg > hidden:
            sizes = struct.pack("<IIIHHHHHH", *g, *b, 0, 0, 0).ljust(64, b"\0") + struct.pack("<H", 3)
            args = args.ljust(hidden, b"\0") + sizes.ljust(d.kernarg - hidden, b"\0")[: d.kernarg - hidden]
        # LLVM counts whole words, and loads the last one whole
        args = args.ljust(d.kernarg, b"\0")
        keep, steps0 = len(self.memory.regions), self.steps
        kernarg = self.alloc(args or b"\0" * 8, "kernarg")
        self.caches = Caches(self, d.wgp_mode) if memory == "weak" else None
        packet = struct.pack(
            "<HHHHHHIIIIIQQQQ",
            0,
            3,
            *b,
            0,
            *(x * y & M32 for x, y in zip(g, b)),
            d.private,
            d.lds + lds_dyn,
            self.base + d.at,
            kernarg,
            0,
            0,
        )
        self.start_state = (d, b, lds_dyn + d.lds, kernarg, self.alloc(packet, "dispatch packet"))
        self.ids = [x | y << 10 | z << 20 for z in range(b[2]) for y in range(b[1]) for x in range(b[0])]
        todo = iter((x, y, z) for z in range(g[2]) for y in range(g[1]) for x in range(g[0]))
        try:
            self.run(name, todo, resident, steps0 + limit, trace)
            if self.caches:
                self.caches.drain()
        except EmuError as e:
            raise type(e)(f"{name}: {e}") from None
        finally:
            self.memory.truncate(keep)
            self.runnable = []
        return self.steps - steps0

    def start(self, gid):
        """Starts the waves of a workgroup, their registers as the kernel descriptor asks."""
        d, b, lds, kernarg, packet = self.start_state
        ws, nthr = d.wave_size, b[0] * b[1] * b[2]
        group = Group(lds, self.rng)
        for wi, t0 in enumerate(range(0, nthr, ws)):
            n = min(ws, nthr - t0)
            w = Wave(self, group, ws, n, wi, self.rng)
            w.pc = self.base + d.at + d.entry
            i = 0
            w.mode = d.float_mode
            for bit, val, k in (
                (0, 0, 4),
                (1, packet, 2),
                (2, 0, 2),
                (3, kernarg, 2),
                (4, 0, 2),
                (5, 0, 2),
                (6, d.private, 1),
            ):
                if d.properties >> bit & 1:
                    for q in range(k):
                        w.s[i + q] = val >> 32 * q & M32
                    i += k
            i = d.rsrc2 >> 1 & 31
            for bit, val in ((7, gid[0]), (8, gid[1]), (9, gid[2])):
                if d.rsrc2 >> bit & 1:
                    w.s[i] = val
                    i += 1
            if self.arch == "rdna4":  # gfx12 has the ids of the workgroup in trap registers
                w.s[117] = gid[0]
                w.s[115] = gid[1] & 0xFFFF | gid[2] << 16
            w.v[0] = self.form.pack(self.ids[t0 : t0 + n] + [w.s[0]] * (ws - n))
            group.waves.append(w)
        if self.caches:
            self.caches.place(group)
        self.runnable += group.waves
        return group

    def run(self, name, todo, resident, last, trace):
        live, turn, seq = [], 0, self.sched == "seq"
        rng, caches = self.rng, self.caches
        more = True
        while True:
            while more and len(live) < resident:
                gid = next(todo, None)
                if gid is None:
                    more = False
                else:
                    live.append(self.start(gid))
            run, blocks = self.runnable, self.blocks
            if not run:
                if not live:
                    return
                raise EmuError("the waves that are left wait at a barrier that others never reach")
            while run:
                if seq:
                    j = 0
                elif self.sched == "rr":
                    j = turn = (turn + 1) % len(run)
                else:
                    j = int(rng.random() * len(run))
                w = run[j]
                if caches is not None and caches.advance(w):
                    continue
                block = blocks.get(w.pc)
                if block is None:
                    block = blocks[w.pc] = self.comp.block(self.code_at, w.pc, trace)
                if trace:
                    print(f"[{w.idx}] {w.pc - self.base:#x} exec={w.exec():x} {'; '.join(block[0])}")
                try:
                    block[2](w)
                except EmuError as e:
                    raise type(e)(f"wave {w.idx} pc {w.at - self.base:#x} {block[0][-1]}: {e}") from None
                except IndexError:
                    raise EmuError(
                        f"wave {w.idx} pc {w.at - self.base:#x}: a register or lane that the wave does not have"
                    ) from None
                self.steps += block[1]
                if w.wants is not None:
                    self.steps -= 1
                    caches.serve(w)
                elif w.state:
                    run[j] = run[-1]
                    run.pop()
                    if w.state == ENDED:
                        w.wg.complete()
                        if all(x.state == ENDED for x in w.wg.waves):
                            live.remove(w.wg)
                            break
                if self.steps > last:
                    raise EmuError("the limit of wave instructions is reached: a livelock?")
