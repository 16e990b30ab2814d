"""Modules that are imported when they are first used, so that the window is fast."""

from __future__ import annotations

import importlib
from functools import cached_property
from types import ModuleType
from typing import Any


class LazyModule:
    """Stands for a module until one of its names is wanted.

    Parameters
    ----------
    name : str
        Full name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def _module(self) -> ModuleType:
        return importlib.import_module(self._name)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._module, attribute)
