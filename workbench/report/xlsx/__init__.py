"""A PAR sheet as a workbook that recomputes itself.

:mod:`formula` pairs the text of a formula with its value, :mod:`book` holds sheets as data, :mod:`door` writes them. What the
strips, wheels and position reels of :mod:`inputs` decide in closed form are formulas (:mod:`lines`, :mod:`sight`); what they don't
are values that stand as long as the inputs they depend on do (:mod:`guards`). Which is which, each kind of game says for itself.
"""
