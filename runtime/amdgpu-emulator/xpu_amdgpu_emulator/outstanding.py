"""Memory operations that have issued and not yet taken place: the weak mode's instructions between issue and completion."""

LINE = 7  # a cache line has 1 << LINE bytes


class Operation:
    """What an instruction does to memory, apart from the addresses and data of one execution.

    `kind` is load, store, atomic, scalar, lds, private, invalidate, writeback or nothing; `counters` are those in which it is
    outstanding; `perform(w, c, ld, st)` does it; `reach` is the nearest level of memory that may serve it.
    """

    __slots__ = ("kind", "counters", "perform", "reach", "width", "level", "text")

    def __init__(self, kind, counters, perform, reach, width, level, text):
        self.kind, self.counters, self.perform, self.reach = kind, counters, perform, reach
        self.width, self.level, self.text = width, level, text


class Pending:
    """One execution of an operation by a wave; `at` is the address of its instruction."""

    __slots__ = ("op", "wave", "items", "lines", "done", "slow", "at")

    def __init__(self, op, wave, items, lines, slow, at):
        self.op, self.wave, self.items, self.lines, self.slow, self.at = op, wave, items, lines, slow, at
        self.done = False
