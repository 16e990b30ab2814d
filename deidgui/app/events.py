"""A weak-method observer: who wants to know, is told; who is gone, is forgotten."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Generic, ParamSpec

P = ParamSpec("P")


class Event(Generic[P]):
    """Something that happens; observers are bound methods or functions.

    Bound methods are held weakly, so that an observer that was closed does not
    stay alive; plain functions are held for ever.
    """

    def __init__(self) -> None:
        self._observers: list[Callable[[], Callable[P, Any] | None]] = []

    def connect(self, observer: Callable[P, Any]) -> None:
        """Call `observer` whenever the event happens."""
        if hasattr(observer, "__self__"):
            self._observers.append(weakref.WeakMethod(observer))
        else:
            self._observers.append(lambda: observer)

    def forget(self, is_gone: Callable[[object], bool]) -> None:
        """Tell no longer those whose object is gone."""
        self._observers = [
            reference
            for reference in self._observers
            if not (
                isinstance(reference, weakref.WeakMethod)
                and is_gone(getattr(reference(), "__self__", None))
            )
        ]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell every living observer."""
        for reference in list(self._observers):
            observer = reference()
            if observer is None:
                self._observers = [r for r in self._observers if r is not reference]
            else:
                observer(*args, **kwargs)


def forget_observers(holder: object, is_gone: Callable[[object], bool]) -> None:
    """Tell no event of an object, or of what it holds, to observers that are gone."""
    seen: set[int] = set()

    def walk(each: object, depth: int) -> None:
        if isinstance(each, Event):
            each.forget(is_gone)
        elif depth and id(each) not in seen and hasattr(each, "__dict__"):
            seen.add(id(each))
            for inner in vars(each).values():
                if isinstance(inner, Event) or _is_ours(inner):
                    walk(inner, depth - 1)

    walk(holder, MOST_DEEP)


MOST_DEEP = 4
"""How far below an object its events are looked for."""


def _is_ours(each: object) -> bool:
    return type(each).__module__.startswith("deidgui.app")
