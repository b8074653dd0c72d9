"""The commands, a module each; :mod:`workbench.cli` imports the one that is asked for."""
