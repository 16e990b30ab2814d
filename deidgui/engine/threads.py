"""Work by blocks in threads, for kernels and libraries that let go of the interpreter.

Only the caller's thread tells progress, learns that it shall stop and takes results;
threads that still work then are waited for.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from types import TracebackType
from typing import TypeVar

from deidgui.errors import Cancelled

N_THREADS = 2
_POLL_S = 0.05

T = TypeVar("T")
R = TypeVar("R")


class Workers:
    """Some threads, which are gone at the end of their ``with``."""

    def __init__(self, n_threads: int = N_THREADS) -> None:
        self._pool = ThreadPoolExecutor(n_threads, thread_name_prefix="block")
        self._leaving = threading.Event()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _where: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._leaving.set()
        self._pool.shutdown(wait=True, cancel_futures=kind is not None)

    def submit(self, work: Callable[[], R]) -> Future[R]:
        """Let a thread do something as soon as one is free."""
        return self._pool.submit(work)

    def pulse(self) -> None:
        """Stop a thread here if nobody waits for it any more.

        Raises
        ------
        Cancelled
        """
        if self._leaving.is_set():
            raise Cancelled

    def share(
        self, work: Callable[[T], None], items: Sequence[T]
    ) -> list[Future[None]]:
        """Let all threads work on some items; each takes the next that is left.

        Parameters
        ----------
        items : sequence
            The longest work first, so that nobody waits for it at the end.
        """
        left = deque(items)

        def take() -> None:
            for item in _taken(left):
                work(item)

        return [self.submit(take) for _ in range(min(N_THREADS, len(items)))]


def finish(works: Sequence[Future[R]], pulse: Callable[[], None]) -> list[R]:
    """Wait for what threads do, and return what it gave.

    Parameters
    ----------
    pulse : callable
        Called again and again; may raise.
    """
    while wait(works, _POLL_S).not_done:
        pulse()
    return [each.result() for each in works]


def in_order(
    work: Callable[[T], R],
    items: Sequence[T],
    take: Callable[[R], None],
    pulse: Callable[[], None],
) -> None:
    """Let threads work on items ahead, and take the results in order, one by one.

    Parameters
    ----------
    work : callable
        Called in a thread; of a single item here, with nobody to wait for.
    take : callable
        Called here; no more results wait for it than there are threads.
    pulse : callable
        Called here again and again; may raise.
    """
    if len(items) == 1:
        take(work(items[0]))
        return
    with Workers() as workers:
        ahead: deque[Future[R]] = deque()
        for item in items:
            ahead.append(workers.submit(partial(work, item)))
            if len(ahead) > N_THREADS:
                take(*finish([ahead.popleft()], pulse))
        while ahead:
            take(*finish([ahead.popleft()], pulse))


def _taken(left: deque[T]) -> Iterator[T]:
    """Yield items that no other thread has taken."""
    while True:
        try:
            item = left.popleft()
        except IndexError:
            return
        yield item
