"""The exceptions of the workbench, each with the exit code the command line ends with.

Malformed input raises one of these with a single line that says where it was found, what was found and
what is allowed. What is merely undesirable (a broken strip rule) is listed, never raised.
"""


class WorkbenchError(Exception):
    """Base of every error a user can cause; its text is one line, fit to print as it is."""

    exit_code = 2


class DefinitionError(WorkbenchError):
    """A game definition that can't be understood."""


class StripSetError(WorkbenchError):
    """A strip set, or its file, that can't be understood or doesn't fit its game."""


class TargetError(WorkbenchError):
    """A target that can't be understood, contradicts itself or lies out of reach."""


class EndlessFeatureError(WorkbenchError):
    """A feature whose expected length isn't finite."""


class UsageError(WorkbenchError):
    """A request that names something that doesn't exist or isn't allowed."""


class FileError(WorkbenchError):
    """A file or folder that can't be read or written."""


class StorageError(WorkbenchError):
    """A storage of studies that can't be reached, refuses, or is damaged."""
