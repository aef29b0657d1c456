"""Finding a rule by the words of a complaint: `string bet`, `jeden žeton`, `side pot`.

Searched are the rule's title and text in the edition, the words that the floor has for it (`Game.terms`), and the
parameters that its check reads. Case, diacritics and the ends of words do not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from games.house_rules.edition import Edition
from games.house_rules.rulebook import RuleBook
from games.protocol import Game

_SHORT = 4
"""Words up to this length must be there as they are; of longer ones an ending may differ."""
_FEW = frozenset(
    {"a", "i", "o", "s", "v", "z", "na", "do", "se", "si", "je", "to", "the", "an", "of", "in", "is", "it"}
)
"""Words that tell no rule from another."""


def rules_about(game: Game[Any], book: RuleBook, edition: Edition, words: Sequence[str]) -> list[str]:
    """The rules that have all of these words, the likeliest first: by title, then by the floor's words, by text, by
    parameters."""
    stems = [_stem(word) for word in _words(" ".join(words)) if word not in _FEW]
    if not stems:
        return []
    weighed = []
    for rule in sorted(book.rule_ids | set(edition.rules)):
        weights = [_weight(stem, _sources(game, book, edition, rule)) for stem in stems]
        if all(weights):
            # Of two titles that have the words the shorter one is more about them.
            title = edition.rules[rule].title if rule in edition.rules else rule
            weighed.append((-sum(weights), len(title), rule))
    return [rule for _weight_, _length, rule in sorted(weighed)]


def _sources(game: Game[Any], book: RuleBook, edition: Edition, rule: str) -> Iterator[tuple[int, list[str]]]:
    """The texts of a rule with what a hit in them weighs."""
    text = edition.rules.get(rule)
    terms = game.terms.get(rule, "")
    yield 12, _words(f"{rule} {text.title if text else ''}")
    yield 9, _words(terms)
    yield 3, _words(text.text if text else "")
    parameters = {name for check in book.checks if check.rule == rule for name in check.parameters}
    yield 1, _words(" ".join(f"{name} {book.form.parameters[name].meaning}" for name in sorted(parameters)))


def _weight(stem: str, sources: Iterable[tuple[int, list[str]]]) -> int:
    return max((weight for weight, words in sources if any(word.startswith(stem) for word in words)), default=0)


def _stem(word: str) -> str:
    if len(word) <= _SHORT:
        return word
    return word[: max(_SHORT, len(word) - (1 if len(word) < 7 else 2))]


def _words(text: str) -> list[str]:
    """Words in lower case, without diacritics."""
    bare = "".join(
        letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter)
    )
    return re.findall(r"[a-z0-9]+", bare.replace("_", " "))
