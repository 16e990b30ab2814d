"""Re-identification risk of classes of records."""

from deidgui.engine.risk.attackers import Attacker, RiskFigures, risk_figures
from deidgui.engine.risk.wildcards import match_sizes

__all__ = ["Attacker", "RiskFigures", "match_sizes", "risk_figures"]
