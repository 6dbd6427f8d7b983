"""The instruction tables of one architecture, without the rest of the package that has them.

Its top level would import a whole tensor compiler, and its decoder the tables of every architecture: most of the time that a short
launch takes.
"""

import functools
import importlib
import importlib.util
import re
import sys
import types

ARCHITECTURES = ("rdna3", "rdna4", "cdna")
TABLES = "tinygrad.runtime.autogen.amd"
DECODER = ("tinygrad.renderer.amd", "tinygrad.renderer.amd.dsl")


class Absent(types.ModuleType):
    """The tables of an architecture that is not wanted: no operands, and nothing under any other name."""

    OPERANDS = {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None


def without_contents(package):
    """Makes a package whose modules can be imported, and which imports nothing itself."""
    if package in sys.modules:
        return
    parent, _, last = package.rpartition(".")
    if parent:
        without_contents(parent)
        folders = [f"{folder}/{last}" for folder in sys.modules[parent].__path__]
    else:
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise ModuleNotFoundError(f"No module named '{package}'", name=package)
        folders = list(spec.submodule_search_locations)
    module = types.ModuleType(package)
    module.__path__ = folders
    sys.modules[package] = module


@functools.lru_cache(None)
def decoder(arch):
    """The function that decodes an instruction of the architecture."""
    for package in ("tinygrad.renderer", "tinygrad.runtime.autogen"):
        without_contents(package)
    absent = [f"{TABLES}.{a}.{part}" for a in ARCHITECTURES if a != arch for part in ("operands", "ins")]
    before = {name: sys.modules.pop(name, None) for name in (*absent, *DECODER)}
    sys.modules.update({name: Absent(name) for name in absent})
    try:
        module = importlib.import_module(DECODER[0])
        module._load_formats()
    finally:
        for name, old in before.items():
            sys.modules.pop(name, None)
            if old is not None:
                sys.modules[name] = old
    return lambda code: module.decode_inst(code, arch)


@functools.lru_cache(None)
def pseudocode(arch):
    """AMD's pseudocode of an architecture by instruction name, without the size of the encoding."""
    without_contents("tinygrad.runtime.autogen")
    table = importlib.import_module(f"{TABLES}.{arch}.str_pcode").PCODE
    return {re.sub(r"_E(32|64)$", "", k.name): v for k, v in reversed(table.items())}
