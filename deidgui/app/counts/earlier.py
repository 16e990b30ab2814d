"""Earlier releases of the same tables of counts, and what two releases tell together.

PRIVACY: counts with other noise are averaged, and what one release masks another may
show. The program finds earlier releases where they lie; a person says why the next one
is written all the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from deidgui.app.project import Answer
from deidgui.app.release.questions import ReleaseQuestion, answered_fact, given_answer
from deidgui.engine.counts.noise.rules import NoiseRule
from deidgui.engine.evidence.counts_document import CountsEvidence, CountsInput
from deidgui.engine.evidence.document import AnsweredQuestion
from deidgui.engine.evidence.folder import (
    EVIDENCE,
    MAX_JSON_BYTES,
    ReleaseFolder,
    is_of_counts,
    read_counts_evidence,
)
from deidgui.errors import ConfigError, DeidError, Param, raise_all


class EarlierOpenError(ConfigError):
    """Nobody has said why tables are released beside an earlier release of them.

    Parameters
    ----------
    folder : Path
        Of the earlier release.
    question : ReleaseQuestion
        What is asked about it.
    """

    def __init__(self, folder: Path, question: ReleaseQuestion) -> None:
        super().__init__("earlier_open", folder=str(folder), words=question.words)
        self.question = question


def answered_earlier(
    answers: Sequence[Answer],
    inputs: Sequence[CountsInput],
    rule: NoiseRule | None,
    sha256: Collection[str],
    places: Iterable[Path],
) -> tuple[AnsweredQuestion, ...]:
    """What a person answered about every earlier release of the same tables.

    Parameters
    ----------
    inputs : sequence of CountsInput
        Tables that are released now.
    rule : NoiseRule or None
        None releases them masked.
    sha256 : collection of str
        Of the tables that are about to be written. An earlier release that holds all of
        them is not asked about: the same files tell nothing more.
    places : iterable of Path
        Folders in which releases may lie.

    Raises
    ------
    EarlierOpenError, ProblemsError
        Of each release that nobody has answered about.
    """
    found: dict[str, AnsweredQuestion] = {}
    problems: dict[str, DeidError] = {}
    for folder in dict.fromkeys(each.resolve() for each in _folders(places)):
        with suppress(DeidError, OSError):
            digest, evidence = _read(folder)
            held = {each.sha256 for each in evidence.outputs}
            if not _is_of(evidence, inputs) or set(sha256) <= held:
                continue
            question = _question(digest, evidence, rule, sha256)
            answer = given_answer(answers, question)
            if answer is None:
                problems[digest] = EarlierOpenError(folder, question)
            else:
                found[digest] = answered_fact(question, answer)
    raise_all(list(problems.values()))
    return tuple(found.values())


def question_about(
    folder: Path,
    inputs: Sequence[CountsInput],
    rule: NoiseRule | None,
    sha256: Collection[str],
) -> ReleaseQuestion:
    """What is asked about one earlier release; parameters as of `answered_earlier`.

    Raises
    ------
    InputError, ConfigError
        Code ``counts_not_earlier``, or as `read_counts_evidence`.
    """
    digest, evidence = _read(folder)
    if not _is_of(evidence, inputs):
        raise ConfigError("counts_not_earlier", folder=folder.resolve().name)
    return _question(digest, evidence, rule, sha256)


def _folders(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        with suppress(OSError):
            yield from sorted(place.iterdir())


def _read(folder: Path) -> tuple[str, CountsEvidence]:
    """SHA-256 of the evidence of a release of counts, and the evidence."""
    files = ReleaseFolder(folder)
    if not is_of_counts(files):
        raise ConfigError("counts_not_earlier", folder=folder.resolve().name)
    content = files.read(EVIDENCE, MAX_JSON_BYTES)
    return hashlib.sha256(content).hexdigest(), read_counts_evidence(files)


def _is_of(evidence: CountsEvidence, inputs: Sequence[CountsInput]) -> bool:
    """Whether a release has a table with the name or from the file of one of these."""
    names = {each.name for each in inputs}
    files = {(each.file, each.sheet) for each in inputs if each.file}
    return any(e.name in names or (e.file, e.sheet) in files for e in evidence.inputs)


def _question(
    digest: str,
    evidence: CountsEvidence,
    rule: NoiseRule | None,
    sha256: Collection[str],
) -> ReleaseQuestion:
    had_noise, has_noise = evidence.noise is not None, rule is not None
    code = "question_earlier_mixed"
    if had_noise == has_noise:
        code = "question_earlier_noise" if has_noise else "question_earlier_masked"
    created = (evidence.created or "?")[:16].replace("T", " ")
    params: dict[str, Param] = {"created": created, "digest": digest[:12]}
    # Noise is asked about before it is drawn; masked tables are known.
    now = sorted(sha256) if rule is None else rule.to_json()
    about = hashlib.sha256(json.dumps([digest, now], sort_keys=True).encode())
    name = f"release {digest[:12]}"
    return ReleaseQuestion(name, "earlier", code, params, about.hexdigest())
