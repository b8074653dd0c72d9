"""Safe names for what users have named: parts of file names, identifiers. The user's text stands elsewhere, escaped.

A symbol may be called ``../../x`` or ``*/``; only letters, digits, ``_``, ``-`` and single dots come out of here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

LONGEST = 40


def distinct(
    texts: Iterable[str], slug: Callable[[str], str], reserved: Iterable[str] = ()
) -> dict[str, str]:
    """A name for each text, no two alike whatever the case of their letters; equal slugs are numbered in order.

    >>> distinct(["A b", "a.b", "*/"], identifier_slug, reserved=["count"])
    {'A b': 'A_b', 'a.b': 'a_b_2', '*/': 'x'}
    """
    taken = {name.casefold() for name in reserved}
    names: dict[str, str] = {}
    for text in dict.fromkeys(texts):
        name, number = slug(text), 1
        while name.casefold() in taken:
            number += 1
            name = f"{slug(text)}_{number}"
        taken.add(name.casefold())
        names[text] = name
    return names


def file_slug(text: str) -> str:
    """Part of a file name, in small letters.

    >>> file_slug("free.Lion"), file_slug("free.../../x")
    ('free.lion', 'free.-.-x')
    """
    plain = re.sub(r"[^a-z0-9_.]+", "-", text.lower())
    return re.sub(r"\.+", ".", plain)[:LONGEST].strip(".-") or "x"


def identifier_slug(text: str) -> str:
    """Part of an identifier of C.

    >>> identifier_slug("Double bar"), identifier_slug("=1+1")
    ('Double_bar', '1_1')
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", text)[:LONGEST].strip("_") or "x"
