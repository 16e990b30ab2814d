"""What can go wrong that the program expects, as codes with parameters."""

from __future__ import annotations

from collections.abc import Sequence

Param = str | int | float | None | tuple[str, ...] | tuple[int, ...]


class Cancelled(BaseException):
    """The user asked to stop; never caught except to release something."""


class DeidError(Exception):
    """An expected failure.

    Parameters
    ----------
    code : str
        Stable identifier; `deidgui.app.text` holds the sentence for it.
    **params : str, int, float, None or tuple
        File names, column names, line numbers, counts, limits. Never a cell's
        value of a user's table.
    """

    def __init__(self, code: str, **params: Param) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, Param] = params

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{type(self).__name__}({self.code!r}{', ' if inside else ''}{inside})"


class InputError(DeidError):
    """A file, hierarchy or encoding that cannot be used as it is."""


class ConfigError(DeidError, ValueError):
    """A decision that is missing, out of range or contradicts another one."""


class InfeasibleError(DeidError):
    """No policy meets the thresholds; the parameters name the nearest miss."""


class ResourceError(DeidError):
    """Too little memory, disk space or permission."""


class VerificationError(DeidError):
    """A release that does not measure as its evidence says."""


class ProblemsError(ConfigError):
    """Several problems found by one validation, reported together.

    Parameters
    ----------
    problems : sequence of DeidError
        At least one.
    """

    def __init__(self, problems: Sequence[DeidError]) -> None:
        flat: list[DeidError] = []
        for problem in problems:
            flat += getattr(problem, "problems", (problem,))
        assert flat
        super().__init__("several_problems", n_problems=len(flat))
        self.problems = tuple(flat)


def raise_all(problems: Sequence[DeidError]) -> None:
    """Raise nothing, the one problem, or all of them together."""
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise ProblemsError(problems)
