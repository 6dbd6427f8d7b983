"""The command line as launchers use it: request files, exit statuses, messages."""

import contextlib
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

from toolchain import build
from xpu_amdgpu_emulator import __main__ as command

EMULATOR = pathlib.Path(__file__).resolve().parent.parent

# every kind of argument, each at its natural alignment: out[i] = a + b + c + d, for i below n
KERNEL = """
define amdgpu_kernel void @sum(i8 %a, ptr addrspace(1) %out, i16 %b, i32 %c, i8 %d, i64 %n) {
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = mul i32 %group, 32
  %i = add i32 %base, %item
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %go, label %end
go:
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %old = load i32, ptr addrspace(1) %p
  %aw = zext i8 %a to i32
  %bw = zext i16 %b to i32
  %dw = zext i8 %d to i32
  %x = add i32 %aw, %bw
  %y = add i32 %x, %c
  %z = add i32 %y, %dw
  %r = add i32 %z, %old
  store i32 %r, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
define amdgpu_kernel void @buffer(ptr addrspace(1) %out, <4 x i32> %rsrc) {
  %x = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> %rsrc, i32 0, i32 0, i32 0)
  store i32 %x, ptr addrspace(1) %out
  ret void
}
define amdgpu_kernel void @half_word(ptr addrspace(1) %out, i16 %x) "amdgpu-implicitarg-num-bytes"="0" {
  %y = zext i16 %x to i32
  store i32 %y, ptr addrspace(1) %out
  ret void
}
declare i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32>, i32, i32, i32)
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
"""
N = 70


def request(**changes):
    data = {
        "version": 1,
        "code": "k.hsaco",
        "symbol": "sum",
        "grid": [3, 1, 1],
        "block": [32],
        "buffers": [{"in": "a.in", "out": "a.out", "size": 4 * N}],
        "arguments": [{"u8": 200}, {"buffer": 0}, {"u16": 60000}, {"u32": 1 << 20}, {"u8": 1}, {"u64": N}],
    }
    data.update(changes)
    return data


class Requests(unittest.TestCase):
    def run_request(self, data, text=None):
        """Exit status, standard output, error line and what is in a.out."""
        with tempfile.TemporaryDirectory() as folder:
            at = pathlib.Path(folder)
            (at / "k.hsaco").write_bytes(build(KERNEL, "gfx1100"))
            (at / "a.in").write_bytes(struct.pack("<10I", *range(10)))
            (at / "r.json").write_text(json.dumps(data) if text is None else text)
            status, said, errors = self.call(at / "r.json")
            out = at / "a.out"
            return status, said, errors, out.read_bytes() if out.exists() else None

    def call(self, path):
        """The command's work, in this process: a process of its own for every one takes long."""
        said, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            status = command.main(["--request", str(path)])
        return status, said.getvalue(), errors.getvalue()

    def test_as_a_command(self):
        done = subprocess.run(
            [sys.executable, str(EMULATOR), "--request", "no such file.json"], capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "error: cannot read no such file.json: No such file or directory\n")
        done = subprocess.run([sys.executable, str(EMULATOR), "--nothing"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)

    def test_right(self):
        for memory in ("strong", "weak"):
            status, said, errors, out = self.run_request(request(memory=memory, seed=7))
            self.assertEqual((status, errors), (0, ""))
            self.assertGreater(json.loads(said)["instructions"], 10)
            first = 200 + 60000 + (1 << 20) + 1
            self.assertEqual(
                list(struct.unpack(f"<{N}I", out)), [first + i if i < 10 else first for i in range(N)]
            )

    def test_bytes(self):
        packed = struct.pack("<B7xQHxxIB7xQ", 1, 0, 2, 3, 4, 0)
        status, _, errors, _ = self.run_request(request(arguments=[{"bytes": packed.hex()}]))
        self.assertEqual((status, errors), (0, ""))

    def test_last_argument_is_half_a_word(self):
        # which LLVM loads whole
        changes = {"symbol": "half_word", "arguments": [{"buffer": 0}, {"u16": 0xC3FF}]}
        status, _, errors, out = self.run_request(request(grid=[1], block=[1], **changes))
        self.assertEqual((status, errors, out[:4]), (0, "", struct.pack("<I", 0xC3FF)))

    def refused(self, message, status=1, text=None, **changes):
        got, said, errors, out = self.run_request(request(**changes), text)
        self.assertEqual((got, said, out), (status, "", None), errors)
        self.assertRegex(errors, r"\Aerror: [^\n]*" + message + r"[^\n]*\n\Z")

    def test_wrong_requests(self):
        self.refused("is not JSON", text="{")
        self.refused("has to hold an object", text="[]")
        self.refused("version 2, and this emulator takes 1", version=2)
        self.refused("unknown fields: colour", colour=1)
        self.refused("cannot read .*none.hsaco", code="none.hsaco")
        self.refused("this is not an ELF file", code="a.in")
        self.refused('no kernel "max"; it has sum, buffer, half_word', symbol="max")
        self.refused("grid has to be a list", grid=[])
        self.refused("block is 0: it has to be a number from 1", block=[0])
        self.refused("more than 1024 work-items", block=[32, 33])
        self.refused("buffer of argument 0 is 1", arguments=[{"buffer": 1}])
        self.refused("argument 0 is 256", arguments=[{"u8": 256}])
        self.refused('of kind "f32"', arguments=[{"f32": 1}])
        self.refused('memory is "lazy": it has to be strong or weak', memory="lazy")
        self.refused("has 4 bytes, and its file 40", buffers=[{"in": "a.in", "size": 4}])

    def test_what_a_kernel_does_wrong(self):
        # half of the buffer
        self.refused(
            r"sum: wave 0 pc 0x[0-9a-f]+ .*: access of 4 bytes at .*outside every buffer \(nearest: buffer 0",
            buffers=[{"in": "a.in", "out": "a.out", "size": 4 * 35}],
        )
        self.refused("limit of wave instructions", limit=5)

    def test_what_the_emulator_cannot_run(self):
        self.refused(
            "the emulator cannot run this: buffer: MUBUF",
            status=3,
            symbol="buffer",
            arguments=[{"buffer": 0}],
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
