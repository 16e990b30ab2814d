"""Steps that change a table before anything is searched; add a file and its line."""

from deidgui.engine.preparation.base import STEPS, Change, Data, Effect, Step
from deidgui.engine.preparation.charlson_index import CharlsonIndex
from deidgui.engine.preparation.code_groups import GroupCodes
from deidgui.engine.preparation.date_shift import ShiftDates
from deidgui.engine.preparation.days_since import DaysSinceFirst
from deidgui.engine.preparation.one_value import OneValue
from deidgui.engine.preparation.providers import SuppressProviders
from deidgui.engine.preparation.removal import RemovePeople
from deidgui.engine.preparation.top_code import TopCode
from deidgui.engine.preparation.truncation import TruncateEvents

__all__ = [
    "STEPS",
    "Change",
    "CharlsonIndex",
    "Data",
    "DaysSinceFirst",
    "Effect",
    "GroupCodes",
    "OneValue",
    "RemovePeople",
    "ShiftDates",
    "Step",
    "SuppressProviders",
    "TopCode",
    "TruncateEvents",
]
