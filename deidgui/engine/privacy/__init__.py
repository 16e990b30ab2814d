"""Privacy models: conditions that every released class must meet."""

from deidgui.engine.privacy.average_journalist_risk import AverageJournalistRisk
from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.engine.privacy.base import (
    PRIVACY_MODELS,
    ClassModel,
    PrivacyModel,
    ProcessModel,
    ReleaseModel,
    SizeModel,
)
from deidgui.engine.privacy.beta_likeness import (
    BasicBetaLikeness,
    EnhancedBetaLikeness,
)
from deidgui.engine.privacy.delta_disclosure import DeltaDisclosure
from deidgui.engine.privacy.delta_presence import DeltaPresence
from deidgui.engine.privacy.distinct_l_diversity import DistinctLDiversity
from deidgui.engine.privacy.entropy_l_diversity import EntropyLDiversity
from deidgui.engine.privacy.epsilon_delta import EpsilonDelta
from deidgui.engine.privacy.estimated_k_map import EstimatedKMap
from deidgui.engine.privacy.highest_journalist_risk import HighestJournalistRisk
from deidgui.engine.privacy.highest_prosecutor_risk import HighestProsecutorRisk
from deidgui.engine.privacy.k_anonymity import KAnonymity
from deidgui.engine.privacy.k_map import KMap
from deidgui.engine.privacy.known_attributes import KnownAttributes
from deidgui.engine.privacy.marketer_risk import MarketerRisk
from deidgui.engine.privacy.population_uniqueness import PopulationUniqueness
from deidgui.engine.privacy.records_at_risk import RecordsAtRisk
from deidgui.engine.privacy.recursive_cl_diversity import RecursiveCLDiversity
from deidgui.engine.privacy.sample_uniqueness import SampleUniqueness
from deidgui.engine.privacy.t_closeness import (
    EqualTCloseness,
    HierarchicalTCloseness,
    OrderedTCloseness,
)

__all__ = [
    "PRIVACY_MODELS",
    "AverageJournalistRisk",
    "AverageProsecutorRisk",
    "BasicBetaLikeness",
    "ClassModel",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "EpsilonDelta",
    "EqualTCloseness",
    "EstimatedKMap",
    "HierarchicalTCloseness",
    "HighestJournalistRisk",
    "HighestProsecutorRisk",
    "KAnonymity",
    "KMap",
    "KnownAttributes",
    "MarketerRisk",
    "OrderedTCloseness",
    "PopulationUniqueness",
    "PrivacyModel",
    "ProcessModel",
    "RecordsAtRisk",
    "RecursiveCLDiversity",
    "ReleaseModel",
    "SampleUniqueness",
    "SizeModel",
]
