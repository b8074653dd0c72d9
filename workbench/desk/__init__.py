"""The desk: tuning a strip set by hand in Jupyter, every figure live.

from workbench.desk import Desk
Desk("codex-of-fortune/strategy")
"""

from workbench.desk.desk import Desk

__all__ = ["Desk"]
