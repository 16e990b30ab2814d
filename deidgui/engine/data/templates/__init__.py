"""Hierarchy templates: one file each; add a file and its line here."""

from deidgui.engine.data.hierarchy import TEMPLATES, Grid, Template
from deidgui.engine.data.templates.ages import Ages
from deidgui.engine.data.templates.ccs import Ccs
from deidgui.engine.data.templates.common import CommonValues
from deidgui.engine.data.templates.cut_points import CutPoints
from deidgui.engine.data.templates.dates import Dates
from deidgui.engine.data.templates.days_in_hospital import DaysInHospital
from deidgui.engine.data.templates.days_since import DaysSince
from deidgui.engine.data.templates.diagnoses import Icd9, Icd10
from deidgui.engine.data.templates.flat import Flat
from deidgui.engine.data.templates.intervals import Intervals
from deidgui.engine.data.templates.length_of_stay import LengthOfStay
from deidgui.engine.data.templates.masking import Masking
from deidgui.engine.data.templates.postcodes import Postcodes
from deidgui.engine.data.templates.quantiles import Quantiles
from deidgui.engine.data.templates.us_states import UsStates
from deidgui.engine.data.templates.zip_codes import ZipCodes

__all__ = [
    "TEMPLATES",
    "Ages",
    "Ccs",
    "CommonValues",
    "CutPoints",
    "Dates",
    "DaysInHospital",
    "DaysSince",
    "Flat",
    "Grid",
    "Icd9",
    "Icd10",
    "Intervals",
    "LengthOfStay",
    "Masking",
    "Postcodes",
    "Quantiles",
    "Template",
    "UsStates",
    "ZipCodes",
]
