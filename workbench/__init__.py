"""A math-design workbench for slot games: exact evaluation, search, and an independent witness."""

from importlib.metadata import version

__version__ = version("workbench")
