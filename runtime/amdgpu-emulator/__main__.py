"""Lets `python runtime/amdgpu-emulator` be the emulator's command."""

import sys

from xpu_amdgpu_emulator.__main__ import main

sys.exit(main())
