"""Oracles for the exact evaluation: the rules played out in full, slowly, with no formula shared.

Nothing here imports ``workbench.exact``, ``prob``, ``features``, ``value`` or ``simulate``; games and strip sets
are read as data. Reels, rows and stops count from 0, steps and levels from 1; pays are in coins, ladders in bets.
"""
