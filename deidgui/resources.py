"""Where the files that ship with the program are."""

from pathlib import Path

SAMPLE = "synthetic_patients.csv.gz"
"""File of the built-in sample."""

_PACKAGE = Path(__file__).resolve().parent


def path(*parts: str) -> Path:
    """Path of a shipped file or folder.

    Parameters
    ----------
    *parts : str
        Path below ``resources/``, for example ``("codes", "zip3.csv")``.

    Returns
    -------
    Path
        Below the installed package, or below the checkout's ``resources``.
    """
    installed = _PACKAGE / "_resources"
    root = installed if installed.is_dir() else _PACKAGE.parent / "resources"
    return root.joinpath(*parts)


def sample_path() -> Path:
    """Path of the built-in sample."""
    return path("samples", SAMPLE)
