"""Forms of English words that no rule of endings leads to each other: bought and buy, mice and
mouse."""

from __future__ import annotations

from functools import cache

from memwiki.index.keyword.tokens import stem

# A form behind `<` is found by its word, and does not find it: it is a word of its own more often.
_FAMILIES = """
arise arose arisen, awake awoke awoken, beat beaten, become became, begin began begun, bend bent,
bite bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought,
build built, burn burnt, buy bought, catch caught, choose chose chosen, come came, creep crept,
deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk, drive drove driven,
eat ate eaten, fall fell fallen, feed fed, feel <felt, fight fought, find <found, flee fled,
fly flew flown, forbid forbade forbidden, foresee foresaw foreseen, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, get got gotten, give gave <given, go went gone,
grow grew grown, hang hung, hear heard, hide hid <hidden, hold held, keep kept, kneel knelt,
know knew known, lay laid, lead <led, lean leant, leap leapt, learn learnt, leave <left,
lend lent, light <lit, lose lost, make made, mean meant, meet met, mislead misled,
mistake mistook mistaken, override overrode overridden, oversleep overslept,
overtake overtook overtaken, overwrite overwrote overwritten, pay paid, rebuild rebuilt,
rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise <rose risen, run ran, say said,
see <saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone,
shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
sleep slept, slide slid, speak spoke spoken, speed sped, spell spelt, spend spent, spill spilt,
spin spun, spoil spoilt, stand stood, steal stole stolen, stick stuck, sting stung,
strike struck, strive strove, swear swore sworn, sweep swept, swell swollen, swim swam swum,
swing swung, take took taken, teach taught, tear tore torn, tell told, think <thought,
throw threw thrown, undergo underwent undergone, understand understood, undo undid undone,
wake woke woken, wear wore worn, weave wove woven, weep wept, win won,
withdraw withdrew withdrawn, write wrote written,
child children, foot feet, goose geese, half halves, knife knives, loaf loaves, man men,
mouse mice, ox oxen, person people, shelf shelves, thief thieves, tooth teeth, wife wives,
wolf wolves, woman women, analysis analyses, appendix appendices, cactus cacti, crisis crises,
criterion criteria, curriculum curricula, diagnosis diagnoses, fungus fungi,
hypothesis hypotheses, index indices, matrix matrices, parenthesis parentheses,
phenomenon phenomena, radius radii, thesis theses, vertex vertices
"""


def other_forms(term: str) -> tuple[str, ...]:
    """The terms of other forms of the word of which a term of the index is the stem."""
    return _by_term().get(term, ())


@cache
def _by_term() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for family in _FAMILIES.split(","):
        forms = {stem(form.removeprefix("<")): form for form in family.split()}
        for term, form in forms.items():
            if not form.startswith("<"):
                found[term] = tuple(other for other in forms if other != term)
    return found
