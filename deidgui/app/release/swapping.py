"""Two folders change places, in one system call where there is one."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_SWAP = 2
"""RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS."""

_NOT_HERE = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}


def exchange(one: Path, other: Path) -> bool:
    """Let two folders of one file system change places at once.

    Returns
    -------
    bool
        False, with nothing changed, where the system or the file system has no such
        call: Windows has none.

    Raises
    ------
    OSError
        Nothing changed then either.

    References
    ----------
    .. [1] renameat2(2) of Linux; renamex_np(2) of macOS.
    """
    names = (os.fsencode(one), os.fsencode(other))
    try:
        if sys.platform.startswith("linux"):
            call = ctypes.CDLL(None, use_errno=True).renameat2
            failed = call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _SWAP)
        elif sys.platform == "darwin":
            failed = ctypes.CDLL(None, use_errno=True).renamex_np(*names, _SWAP)
        else:
            return False
    except (AttributeError, OSError):  # a C library without the call
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        return False
    raise OSError(number, os.strerror(number))
