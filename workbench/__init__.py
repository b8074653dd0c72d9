"""A math-design workbench for slot games: exact evaluation, search, and an independent witness."""

__version__: str


def __getattr__(name: str) -> str:
    """``__version__``, looked up when asked for: the look-up costs more than most of the command line."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("workbench")
