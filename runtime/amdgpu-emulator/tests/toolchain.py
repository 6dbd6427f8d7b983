"""LLVM's tools, as the tests use them: from LLVM IR or assembly to a code object."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "runtime" / "amdgpu-emulator"))

TRIPLE = "amdgcn-amd-amdhsa"


@functools.lru_cache(None)
def tool(name):
    """The path of an LLVM tool: in $XPU_LLVM_BIN, else under the prefix that Cargo uses, else on the PATH."""
    with open(REPOSITORY / ".cargo" / "config.toml", encoding="utf-8") as f:
        variable, prefix = re.search(r'^(MLIR_SYS_\w+_PREFIX) = "(.*)"$', f.read(), re.M).groups()
    folder = os.environ.get("XPU_LLVM_BIN") or os.path.join(os.environ.get(variable, prefix), "bin")
    found = shutil.which(name, path=folder) or shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            f"{name} is not in {folder}: install LLVM, or set XPU_LLVM_BIN to its folder of programs"
        )
    return found


def run(name, *arguments, text):
    done = subprocess.run([tool(name), *arguments], input=text.encode(), capture_output=True)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr.decode()[:2000]}")
    return done.stdout


def compile_ir(ir, cpu, *options):
    """Assembly of LLVM IR."""
    return run("llc", f"-mtriple={TRIPLE}", f"-mcpu={cpu}", *options, "-o", "-", "-", text=ir).decode()


def assemble(assembly, cpu, *options):
    """A code object of assembly."""
    with tempfile.TemporaryDirectory() as folder:
        obj, out = os.path.join(folder, "k.o"), os.path.join(folder, "k.hsaco")
        run(
            "llvm-mc",
            f"-triple={TRIPLE}",
            f"-mcpu={cpu}",
            *options,
            "-filetype=obj",
            "-o",
            obj,
            text=assembly,
        )
        subprocess.run([tool("ld.lld"), "-shared", obj, "-o", out], check=True, capture_output=True)
        with open(out, "rb") as f:
            return f.read()


@functools.lru_cache(None)
def build(ir, cpu, *options):
    """A code object of LLVM IR."""
    return assemble(compile_ir(ir, cpu, *options), cpu, *options)
