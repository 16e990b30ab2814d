"""Fixtures and rules for every test."""

from hypothesis import settings

import deidgui  # noqa: F401 - guards None/True/False before any Qt use

# Time is measured by benchmarks and never asserted: the first example may load a
# code list or compile a kernel, and other programs may run beside.
settings.register_profile("deidgui", deadline=None)
settings.load_profile("deidgui")
