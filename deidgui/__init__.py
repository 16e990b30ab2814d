"""De-identification of health data with evidence."""

import ctypes
import sys

__version__ = "0.1.0"


def _guard_singletons() -> None:
    """Keep None, True and False alive under PySide6 6.12.0 on CPython < 3.12.

    That build drops references to them on Linux and the process aborts; our
    dependency pins exclude it, this covers a machine that has it installed.
    """
    # WORKAROUND PYSIDE-3474
    if sys.version_info >= (3, 12) or sys.implementation.name != "cpython":
        return
    bump = 1 << (60 if ctypes.sizeof(ctypes.c_ssize_t) == 8 else 29)
    for singleton in (None, True, False):
        cell = ctypes.c_ssize_t.from_address(id(singleton))
        if cell.value < bump:
            cell.value += bump


_guard_singletons()
