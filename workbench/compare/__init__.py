"""Strip sets of one game held against each other: stops and weights that differ, figures that move.

The first set is the one the others are held against. A strip is a circle, so each is read from the stop that leaves the
fewest stops that differ (:mod:`workbench.compare.align`). Figures come out of one evaluation per set and move where
:func:`workbench.verify.differences` finds them apart.
"""
