"""Large parts of a page: each made, and put into its place, in a moment of its own."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, cast

from PySide6.QtWidgets import QWidget

from deidgui.qt.widgets.polish import goes_with

W = TypeVar("W", bound=QWidget)

Placing = tuple[QWidget, Callable[[QWidget], object]]


class Parts:
    """The large parts of a page, or of such a part, until they are in their places.

    PERF: what becomes a part of the window gets its style sheet with all that is in
    it. A page of a thousand widgets would take longer than anybody should wait.

    A page places its parts, and with each of them the parts within it.

    Parameters
    ----------
    owner : QWidget
        With an attribute ``parts`` if it is itself a part.
    made : sequence of QWidget
        Of the kinds of ``owner.first`` what is there already.
    """

    def __init__(self, owner: QWidget, made: Sequence[QWidget] = ()) -> None:
        # Not in a circle: a page that was there when garbage was frozen would stay.
        self._owner = weakref.ref(owner)
        self._made: dict[type[QWidget], QWidget] = {type(each): each for each in made}
        self._unplaced: deque[Placing] = deque()

    def take(self, kind: type[W]) -> W:
        """Return one of the parts that were made first, or make it now."""
        made = self._made.pop(kind, None)
        return made if isinstance(made, kind) else _make(kind, self._made)

    def place_later(self, part: W, place: Callable[[W], object]) -> None:
        """Put a part into its place once that is a part of the window."""
        place = cast("Callable[[QWidget], object]", place)
        owner = self._owner()
        assert owner is not None
        self._unplaced.append((goes_with(part, owner), place))

    def place_next(self) -> bool:
        """Put the next part into its place; False if there is none left."""
        if not self._unplaced:
            return False
        part, place = self._unplaced.popleft()
        place(part)
        inner = getattr(part, "parts", None)
        if isinstance(inner, Parts):
            self._unplaced.extendleft(reversed(inner._unplaced))
            inner._unplaced.clear()
        return True

    def place_all(self) -> None:
        """Put all parts into their places."""
        while self.place_next():
            pass


class PartMaker:
    """Makes the large parts of a page one by one, before there is a page.

    A kind of part names in its attribute ``first`` what is made before it, and is
    given that as ``made``.

    Parameters
    ----------
    kinds : sequence of type
        Of the page's own parts.
    owner : QObject
        Until they have a place.
    """

    def __init__(self, kinds: Sequence[type[QWidget]], owner: QWidget) -> None:
        self._left = deque(kinds_in_order(kinds))
        self._owner = owner
        self._made: dict[type[QWidget], QWidget] = {}

    @property
    def made(self) -> list[QWidget]:
        """What there is and no other part has taken."""
        return list(self._made.values())

    def make_next(self) -> bool:
        """Make one part; False if there is none left."""
        if not self._left:
            return False
        kind = self._left.popleft()
        self._made[kind] = goes_with(_make(kind, self._made), self._owner)
        return True


def _make(kind: type[W], made: dict[type[QWidget], QWidget]) -> W:
    """Make a part out of what was made of it already, which is taken away."""
    within = list(kinds_in_order(getattr(kind, "first", ())))
    if not within:
        return kind()
    inner = [made.pop(each) for each in within if each in made]
    return cast("Callable[..., W]", kind)(made=inner)


def kinds_in_order(kinds: Sequence[type[QWidget]]) -> Iterator[type[QWidget]]:
    """Kinds of parts, what is within each before it."""
    for kind in kinds:
        yield from kinds_in_order(getattr(kind, "first", ()))
        yield kind
