"""Privacy models: conditions that every released class must meet."""

from deidgui.engine.privacy.average_prosecutor_risk import AverageProsecutorRisk
from deidgui.engine.privacy.base import PRIVACY_MODELS, PrivacyModel, SizeModel, Tiers
from deidgui.engine.privacy.highest_prosecutor_risk import HighestProsecutorRisk
from deidgui.engine.privacy.k_anonymity import KAnonymity

__all__ = [
    "PRIVACY_MODELS",
    "AverageProsecutorRisk",
    "HighestProsecutorRisk",
    "KAnonymity",
    "PrivacyModel",
    "SizeModel",
    "Tiers",
]
