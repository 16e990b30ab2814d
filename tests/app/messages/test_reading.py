"""Every code of the reading modules has its sentence, and every sentence a use."""

import inspect
import re

import pytest

from deidgui.app.text.reading import SENTENCES
from deidgui.engine.data import (
    csv_io,
    csv_scan,
    csv_write,
    dates,
    dialect,
    encoding,
    missing,
    source,
    value_types,
)
from deidgui.engine.detect import no_table, stacked, totals

MODULES = [
    csv_io,
    csv_scan,
    csv_write,
    dates,
    dialect,
    encoding,
    missing,
    no_table,
    source,
    stacked,
    totals,
    value_types,
]
RAISED = re.compile(r'(?:Error|Evidence\.of)\(\s*"([a-z0-9_]+)"')


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_code_has_a_sentence(module):
    codes = set(RAISED.findall(inspect.getsource(module)))
    assert codes <= SENTENCES.keys()


def test_every_sentence_is_used():
    text = "".join(inspect.getsource(module) for module in MODULES)
    assert {code for code in SENTENCES if f'"{code}"' not in text} == set()
