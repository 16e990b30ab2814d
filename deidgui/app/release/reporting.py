"""The report of a release written once more: for another regime, in another edition."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from deidgui.app.project import Edition, Regime
from deidgui.app.release.verifying import verify
from deidgui.app.report import counts as counts_report
from deidgui.app.report import report_html, report_pdf
from deidgui.app.storage.files import write_whole
from deidgui.engine.evidence.counts_document import CountsEvidence
from deidgui.errors import ConfigError, VerificationError
from deidgui.monitor import NULL_MONITOR, Monitor
from deidgui.text import in_english, tr

Form = Literal[".html", ".pdf"]


def write_report(
    folder: Path,
    out: Path,
    *,
    regime: str | None = None,
    edition: str | None = None,
    monitor: Monitor = NULL_MONITOR,
) -> None:
    """Write the report of a verified release as HTML or PDF, beside the release.

    Parameters
    ----------
    out : Path
        Its ending says the form; an earlier file is replaced.
    regime, edition : str, optional
        Front sheet and edition; without them those that the evidence states.

    Raises
    ------
    ConfigError
        Codes ``not_one_of``, ``report_inside_release``, and ``report_of_counts`` if a
        regime is asked of tables of counts.
    VerificationError
        Code ``report_not_written``: the release is not what its evidence says.
    DeidError
        As `verify` and `write_whole`.
    """
    form = out.suffix.lower()
    _check(tr("ending of the file"), form, get_args(Form))
    _check(tr("front sheet"), regime, get_args(Regime))
    _check(tr("edition"), edition, get_args(Edition))
    if out.resolve().is_relative_to(folder.resolve()):
        raise ConfigError("report_inside_release", file=out.name)
    found = verify(folder, monitor=monitor)
    if not found.ok:
        codes = tuple(dict.fromkeys(check.code for check in found.failed))
        raise VerificationError("report_not_written", folder=folder.name, failed=codes)
    evidence = found.evidence
    with in_english():
        if isinstance(evidence, CountsEvidence):
            if regime:
                raise ConfigError("report_of_counts", folder=folder.name)
            of_counts = {
                ".html": counts_report.report_html,
                ".pdf": counts_report.report_pdf,
            }
            content = of_counts[form](evidence, edition)
        else:
            make = report_html if form == ".html" else report_pdf
            content = make(evidence, edition=edition, regime=regime)
    write_whole(out, content)


def _check(what: str, value: str | None, known: tuple[str, ...]) -> None:
    if value is not None and value not in known:
        raise ConfigError("not_one_of", what=what, value=value, known=known)
