"""Fixtures and rules for every test."""

import os
import tempfile

from hypothesis import settings

import deidgui  # noqa: F401 - guards None/True/False before any Qt use

# No test reads or writes what the program keeps for the person who runs it.
os.environ["DEIDGUI_HOME"] = tempfile.mkdtemp(prefix="deidgui-home-")

# Time is measured by benchmarks and never asserted: the first example may load a
# code list or compile a kernel, and other programs may run beside.
settings.register_profile("deidgui", deadline=None)
settings.load_profile("deidgui")
