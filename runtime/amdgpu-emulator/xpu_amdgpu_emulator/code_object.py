"""Reads a code object: its processor, its memory image with relocations applied, its symbols and kernel descriptors."""

import struct

from .numeric import M32, EmuError, Unsupported

# EF_AMDGPU_MACH, the low byte of e_flags, to processor and tinygrad's name for its instruction tables
MACHINES = {
    0x41: ("gfx1100", "rdna3"),
    0x46: ("gfx1101", "rdna3"),
    0x47: ("gfx1102", "rdna3"),
    0x44: ("gfx1103", "rdna3"),
    0x43: ("gfx1150", "rdna3"),
    0x4A: ("gfx1151", "rdna3"),
    0x55: ("gfx1152", "rdna3"),
    0x48: ("gfx1200", "rdna4"),
    0x4E: ("gfx1201", "rdna4"),
    0x4C: ("gfx942", "cdna"),
    0x4F: ("gfx950", "cdna"),
}
R_ABS64, R_RELATIVE64 = 3, 13
DYNSYM, RELA, SECTION = 11, 4, "<IIQQQQIIQQ"


class CodeObject:
    """A loaded code object. `image` is its memory, whose address `place` gives to it."""

    def __init__(self, elf):
        try:
            self.load(elf)
        except (struct.error, IndexError, StopIteration, UnicodeDecodeError) as e:
            raise EmuError(f"the code object is damaged ({e})") from None

    def load(self, elf):
        if elf[:4] != b"\x7fELF" or len(elf) < 64:
            raise EmuError("this is not an ELF file")
        flags = struct.unpack_from("<I", elf, 48)[0]
        if flags & 0xFF not in MACHINES or struct.unpack_from("<H", elf, 18)[0] != 224:
            raise EmuError(
                f"no code object of a processor that the emulator knows ({', '.join(sorted(c for c, _ in MACHINES.values()))}): "
                f"e_flags is {flags:#x}"
            )
        self.cpu, self.arch = MACHINES[flags & 0xFF]
        phoff, shoff = struct.unpack_from("<QQ", elf, 32)
        pes, pn, ses, sn = struct.unpack_from("<HHHH", elf, 54)
        segments = [struct.unpack_from("<IIQQQQQQ", elf, phoff + i * pes) for i in range(pn)]
        loaded = [p for p in segments if p[0] == 1]
        if not loaded:
            raise EmuError("the code object has nothing to load: link it first")
        self.image = bytearray(max(p[3] + p[6] for p in loaded) + 256)
        for p in loaded:
            self.image[p[3] : p[3] + p[5]] = elf[p[2] : p[2] + p[5]]
        sections = [struct.unpack_from(SECTION, elf, shoff + i * ses) for i in range(sn)]
        self.symbols, self.relocations = {}, []
        dynamic = next((s for s in sections if s[1] == DYNSYM), None)
        if dynamic is None:
            raise EmuError("the code object has no dynamic symbols: link it with ld.lds_load -shared")
        names = sections[dynamic[6]][4]
        for j in range(dynamic[5] // 24):
            nm, _, _, _, val, _ = struct.unpack_from("<IBBHQQ", elf, dynamic[4] + j * 24)
            self.symbols[elf[names + nm : elf.index(b"\0", names + nm)].decode()] = val
        for s in sections:
            if s[1] != RELA:
                continue
            for j in range(s[5] // 24):
                off, info, add = struct.unpack_from("<QQq", elf, s[4] + j * 24)
                kind = info & M32
                if kind == R_RELATIVE64:
                    self.relocations.append((off, add))
                elif kind == R_ABS64:
                    self.relocations.append(
                        (off, add + struct.unpack_from("<Q", elf, dynamic[4] + (info >> 32) * 24 + 8)[0])
                    )
                elif kind:
                    raise Unsupported(f"relocation type {kind}")

    def place(self, base, image):
        """Applies the relocations to the image, which lies at `base`."""
        for off, add in self.relocations:
            struct.pack_into("<Q", image, off, (base + add) & (1 << 64) - 1)

    def kernels(self):
        return [s[:-3] for s in self.symbols if s.endswith(".kd")]

    def descriptor(self, name):
        """The kernel descriptor of a kernel."""
        at = self.symbols.get(name + ".kd")
        if at is None:
            raise EmuError(
                f'the code object has no kernel "{name}"; it has {", ".join(self.kernels()) or "none"}'
            )
        return Descriptor(self.image, at)


class Descriptor:
    """A kernel descriptor, the 64 bytes that tell the hardware how to start a kernel."""

    def __init__(self, image, at):
        u32 = lambda o: struct.unpack_from("<I", image, at + o)[0]
        self.at = at
        self.lds, self.private, self.kernarg = u32(0), u32(4), u32(8)
        self.entry = struct.unpack_from("<q", image, at + 16)[0]
        self.rsrc1, self.rsrc2 = u32(48), u32(52)
        self.properties = struct.unpack_from("<H", image, at + 56)[0]
        self.wave_size = 32 if self.properties >> 10 & 1 else 64
        # allocated in blocks of 8, of 4 where a wave64 runs on hardware for wave32: never fewer than the kernel names
        self.vector_registers = max(16, ((self.rsrc1 & 63) + 1) * 8)
        self.wgp_mode = bool(self.rsrc1 >> 29 & 1)  # gfx10 and later; not set elsewhere
        self.float_mode = self.rsrc1 >> 12 & 0xFF
