"""Runs AMDGPU code objects on a machine without an AMD GPU, with a strong or a weak model of memory."""

from .machine import Gpu
from .numeric import EmuError, Unsupported

__all__ = ["EmuError", "Gpu", "Unsupported"]
