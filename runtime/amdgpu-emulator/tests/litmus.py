"""Litmus tests as LLVM IR, and running them in the weak memory mode.

A test has a few threads. At scope agent each is a workgroup of its own, at scope workgroup each is a wave of one workgroup. Every
instance has cache lines of its own; many instances run in one launch.
"""

import struct

from xpu_amdgpu_emulator import Gpu

LOCATIONS = 2  # x and y, each in a line of 128 bytes
RESULTS = 4


def store(ordering, where, value, scope):
    return f'  store atomic i32 {value}, ptr addrspace(1) %{where} syncscope("{scope}") {ordering}, align 4'


def load(ordering, result, where, scope):
    return (
        f'  %{result} = load atomic i32, ptr addrspace(1) %{where} syncscope("{scope}") {ordering}, align 4'
    )


def keep(index, value):
    return f"  store i32 %{value}, ptr addrspace(1) %r{index}, align 4"


def wait_for(ordering, where, scope, tag):
    """Loads until the value is not 0."""
    return f"""  br label %spin{tag}
spin{tag}:
{load(ordering, f"seen{tag}", where, scope)}
  %again{tag} = icmp eq i32 %seen{tag}, 0
  br i1 %again{tag}, label %spin{tag}, label %past{tag}
past{tag}:"""


PLAIN_STORE = "  store i32 1, ptr addrspace(1) %x, align 4"
PLAIN_LOAD = "  %a$ = load i32, ptr addrspace(1) %x, align 4"


def fence(ordering, scope):
    return f'  fence syncscope("{scope}") {ordering}'


def message_passing(scope):
    return [
        [PLAIN_STORE, store("release", "y", 1, scope)],
        [wait_for("acquire", "y", scope, 1), PLAIN_LOAD, keep(0, "a$")],
    ]


def message_passing_fences(scope):
    return [
        [PLAIN_STORE, fence("release", scope), store("monotonic", "y", 1, scope)],
        [wait_for("monotonic", "y", scope, 1), fence("acquire", scope), PLAIN_LOAD, keep(0, "a$")],
    ]


def store_buffering(scope):
    return [
        [store("seq_cst", p, 1, scope), load("seq_cst", "a$", q, scope), keep(i, "a$")]
        for i, p, q in ((0, "x", "y"), (1, "y", "x"))
    ]


def independent_reads(scope):
    write = [[store("seq_cst", p, 1, scope)] for p in "xy"]
    read = [
        [
            load("seq_cst", "a$", p, scope),
            load("seq_cst", "b$", q, scope),
            keep(2 * i, "a$"),
            keep(2 * i + 1, "b$"),
        ]
        for i, p, q in ((0, "x", "y"), (1, "y", "x"))
    ]
    return write + read


def read_coherence(scope):
    return [
        [store("monotonic", "x", 1, scope), store("monotonic", "x", 2, scope)],
        [
            load("monotonic", "a$", "x", scope),
            load("monotonic", "b$", "x", scope),
            keep(0, "a$"),
            keep(1, "b$"),
        ],
    ]


# name: threads of a scope, and whether the results of an instance are forbidden
TESTS = {
    "MP": (message_passing, lambda r: r[0] == 0),
    "MP+fences": (message_passing_fences, lambda r: r[0] == 0),
    "SB": (store_buffering, lambda r: r[0] == 0 and r[1] == 0),
    "IRIW": (independent_reads, lambda r: r == (1, 0, 1, 0)),
    "CoRR": (read_coherence, lambda r: r[0] > r[1]),
}


def kernel(threads, apart):
    """The IR of a test; `apart` if each thread is a workgroup of its own."""
    n = len(threads)
    which = (
        "%instance = udiv i32 %group, N\n  %thread = urem i32 %group, N"
        if apart
        else "%instance = or i32 %group, 0\n  %thread = lshr i32 %item, 6"
    ).replace("N", str(n))
    cases = "\n".join(f"    i32 {i}, label %t{i}" for i in range(n))
    bodies = "\n".join(
        f"t{i}:\n" + "\n".join(body).replace("$", str(i)) + "\n  br label %out"
        for i, body in enumerate(threads)
    )
    results = "\n".join(f"  %r{i} = getelementptr i32, ptr addrspace(1) %rs, i32 {i}" for i in range(RESULTS))
    return f"""define amdgpu_kernel void @k(ptr addrspace(1) noalias %memory, ptr addrspace(1) noalias %results) {{
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  {which}
  %x0 = mul i32 %instance, {32 * LOCATIONS}
  %y0 = add i32 %x0, 32
  %x = getelementptr i32, ptr addrspace(1) %memory, i32 %x0
  %y = getelementptr i32, ptr addrspace(1) %memory, i32 %y0
  %rs0 = mul i32 %instance, {RESULTS}
  %rs = getelementptr i32, ptr addrspace(1) %results, i32 %rs0
{results}
  %lane = and i32 %item, 63
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %go, label %out
go:
  switch i32 %thread, label %out [
{cases}
  ]
{bodies}
out:
  ret void
}}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
"""


def forbidden(code, test, scope, instances, seed):
    """How many instances of one launch have a forbidden result."""
    make, wrong = TESTS[test]
    n = len(make(scope))
    gpu = Gpu(code)
    memory, results = gpu.alloc(bytes(instances * LOCATIONS * 128)), gpu.alloc(bytes(instances * RESULTS * 4))
    apart = scope != "workgroup"
    gpu.launch(
        "k",
        instances * n if apart else instances,
        1 if apart else 64 * n,
        struct.pack("<QQ", memory, results),
        seed=seed,
        memory="weak",
        resident=2 * n,
        limit=2_000_000,
    )
    got = struct.unpack(f"<{instances * RESULTS}I", gpu.read(results, instances * RESULTS * 4))
    return sum(wrong(got[i * RESULTS : (i + 1) * RESULTS]) for i in range(instances))


def litmus_ir(test, scope):
    return kernel(TESTS[test][0](scope), scope != "workgroup")
