"""Privacy models: conditions that every released class must meet."""

from deidgui.engine.privacy.average_journalist_risk import AverageJournalistRisk
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.engine.privacy.base import PRIVACY_MODELS, PrivacyModel, SizeModel, Tiers
from deidgui.engine.privacy.delta_presence import DeltaPresence
from deidgui.engine.privacy.epsilon_delta import EpsilonDelta
from deidgui.engine.privacy.estimated_k_map import EstimatedKMap
from deidgui.engine.privacy.highest_journalist_risk import HighestJournalistRisk
from deidgui.engine.privacy.highest_prosecutor_risk import HighestProsecutorRisk
from deidgui.engine.privacy.k_anonymity import KAnonymity
from deidgui.engine.privacy.k_map import KMap
from deidgui.engine.privacy.marketer_risk import MarketerRisk
from deidgui.engine.privacy.population_uniqueness import PopulationUniqueness
from deidgui.engine.privacy.records_at_risk import RecordsAtRisk
from deidgui.engine.privacy.sample_uniqueness import SampleUniqueness

__all__ = [
    "PRIVACY_MODELS",
    "AverageJournalistRisk",
    "AverageProsecutorRisk",
    "DeltaPresence",
    "EpsilonDelta",
    "EstimatedKMap",
    "HighestJournalistRisk",
    "HighestProsecutorRisk",
    "KAnonymity",
    "KMap",
    "MarketerRisk",
    "PopulationUniqueness",
    "PrivacyModel",
    "RecordsAtRisk",
    "SampleUniqueness",
    "SizeModel",
    "Tiers",
]
