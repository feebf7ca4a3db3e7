"""A vault with private things of every kind, and its twin in which there are none.

A line that begins with `§` is private: the first vault has it without that sign, the second one an
empty line. Nothing of memwiki says here which lines these are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from generated import Words
from twins import AT, keep_proposal

from memwiki.nouns import Json
from memwiki.proposals.operations import Do, Evidence, Operation, Proposal, ProposalSource

SETTINGS = """[layers]
memory = "memory.md"
learnings = "learnings.md"
daily = "daily"
inbox = "inbox"
wiki = "wiki"
raw = "raw"
sessions = "sessions"
archive = "archive"
log = "log.md"

[catalog]
enabled = true
"""
MARK = "[private:: true]"
SHOWN = {
    "memory.md": f"""# Memory

## Facts

- Tea is green. #drink [key:: tea] ^m-h00001
§- The PIN of the bank is siebenzwei. #quarz [key:: bank/pin] [subject:: Konto] [topic:: geheim] {MARK} ^m-w00001
§  - Below it stands zweiundvierzig.
- The office is in Kiel. #town [key:: office/place] [subject:: office] [because:: ^m-w00001] ^m-h00002
§- The office is in Turku. #town [key:: office/place] [subject:: office] [entities:: Xanthippe Corp] {MARK} ^m-w00002
- Rent is due in May. [because:: ^m-h00002] [related:: [[Divorce]]] ^m-h00003
§- Rent is due in Juno. [subject:: rent] [object:: Luxemburg] [because:: ^m-h00003] {MARK} ^m-w00003

## Plans

- Sail in summer. [type:: plan] #sea ^m-h00004
§- Sail with Eulalia. [type:: plan] {MARK}

§## Verborgen {MARK}
§
§- Ultima ratio is the motto. ^m-w00004
§
§Prose below the hidden heading.

## Last

- Beans grow well. #garden ^m-h00005
""",
    "learnings.md": f"""# Learnings

- Backups need a test. ^m-h00006
§- The backup key is under the Zypresse. {MARK} [supersedes:: m-h00006] ^m-w00005
""",
    "daily/2026-11-01.md": f"""# 2026-11-01

- Dug the garden. ^m-h00007
§- Met the lawyer Hortensia. #quarz {MARK} ^m-w00006
- Paid the rent. [[Rent]] ^m-h00008
""",
    "inbox/2026-11-02.md": f"""# 2026-11-02

- Heard that the plan changed. [status:: staged] ^m-h00009
§- Heard that Konto is empty. [status:: staged] {MARK} ^m-w00007
""",
    "archive/memory.md": f"""# Archive

- The rent was less. ^m-h00010
§- The lawyer was Nonsuch. {MARK} ^m-w00008
""",
    "archive/old-plan.md": f"""# Old plan

Sail to Malta.

§Or to Orplid. {MARK}
""",
    "wiki/rent.md": f"""---
type: note
tags: [money]
related: wiki/divorce.md
---
# Rent

Due in May. [[Garden]] and [[Divorce]], [[Scheidung|the paper]], [x](divorce.md#Price), [[m-w00001]].

§Nobody knows of the [[Geldwäsche]] in [[Tea]]. #quarz {MARK}
§It goes on with Quastenflosser.

1. First call.
§2. Then lie to Ottokar. {MARK}
§   - below, Brimborium
3. Last pay.

- Sail in summer
  - With a boat.
§  - With Mathilde. {MARK}
  - And a map.

> A quote of all.

§> A quote of Mephisto. {MARK}

| what | price |
| --- | --- |
| rent | 5 |

§| what | secret |
§| :--- | ---: |
§| Kuckucksuhr | 7 {MARK} |

## Price

Five. ![[scan.png]]

§## Hinterzimmer {MARK}
§
§There is [[Wunderkammer]] and [[Garden]].

## Beds

None. [[nowhere]]
""",
    "wiki/garden.md": f"""---
aliases: [Yard]
---
# Garden

## Beds

Beans and [[Rent]], by [[Tea]]. #garden

§## Grube {MARK}
§
§Here lies Rumpelstilz.
""",
    "wiki/tea.md": "---\ntype: concept\ntags: [drink]\n---\n# Tea\n\nGreen. [[Garden]] [[Yard]]\n",
    "wiki/divers.md": "# Divers\n\nClose to a hidden name. [[Rent]]\n",
    "wiki/entities/anna.md": f"""---
title: Anna
type: person
created: 2026-11-01
origin: agent
---

# Anna

## Observations

- Likes tea. ^m-h00011
§- Has a Liebhaber. {MARK} ^m-w00009
- Lives in Kiel. ^m-h00012

## Relations

- knows [[entities/bert|Bert]]
§- hates [[entities/zarathustra|Zarathustra]] {MARK}
§- loves [[entities/bert|Bert]] {MARK}
""",
    "wiki/entities/bert.md": """---
title: Bert
type: person
created: 2026-11-01
origin: agent
---

# Bert

## Observations

- Likes beer. ^m-h00013
""",
    "sessions/talk.md": f"""# Talk

### 2026-11-01T10:00:01Z user ^s-0001

When is the rent due?

### 2026-11-01T10:00:02Z assistant ^s-0002

In May.

§### 2026-11-01T10:00:03Z user `{MARK}` ^s-0003
§
§And what of the Kassiber?

### 2026-11-01T10:00:04Z assistant ^s-0004

Beans, too.
""",
    "raw/scan-notes.md": f"# Scan notes\n\nRead by a machine.\n\n§Said Pimpernell. {MARK}\n",
    "index.md": "# Index\n\n<!-- memwiki:catalog:begin -->\n<!-- memwiki:catalog:end -->\n",
    "log.md": """# Log

## [2026-11-01] create | wiki/rent.md

§## [2026-11-02] create | wiki/divorce.md
§- of the marriage

## [2026-11-03] update | wiki/rent.md

§## [2026-11-03] update | Scheidung
§
§## [2026-11-04] remember | memory.md
§- m-w00001
""",
}
_PRIVATE = "---\ntype: dossier\nprivate: true\ntags: [quarz]\n---\n"
HIDDEN = {
    "wiki/divorce.md": "---\ntype: dossier\nprivate: true\ntags: [quarz]\naliases: [Scheidung]\n"
    "id: x-divorce\n---\n# Divorce\n\n## Price\n\nZehntausend, says [[Rent]]. [[Vademecum]]\n",
    "wiki/entities/zarathustra.md": "---\ntitle: Zarathustra\ntype: person\nprivate: true\n---\n"
    "# Zarathustra\n\n## Observations\n\n- Knows Dudelsack. ^m-w00010\n\n## Relations\n\n"
    "- knows [[entities/anna|Anna]]\n",
    "wiki/gardens.md": _PRIVATE + "# Gardens\n\nNear a shown name: Klabautermann.\n",
    "archive/will.md": _PRIVATE + "# Will\n\nErbschleicher get nothing. [[Garden]]\n",
    "daily/2026-11-02.md": _PRIVATE + "# 2026-11-02\n\n- Saw the Notar. ^m-w00011\n",
    "inbox/tip.md": _PRIVATE + "# Tip\n\n- Beans are Mogelpackung. ^m-w00012\n",
    "raw/contract.md": _PRIVATE + "# Contract\n\nSigned by Hieronymus.\n",
    "sessions/secret-talk.md": "---\nprivate: true\n---\n# Secret talk\n\n"
    "### 2026-11-02T10:00:01Z user ^s-0009\n\nWhat of the Kassenbuch?\n",
    "secret/only.md": _PRIVATE + "# Only\n\nA folder of its own: Einsiedler.\n",
}
USAGE = (
    *('{"at":1793000000,"query":"rent","of":[["page","wiki/rent.md",5000]]}',),
    *('{"at":1793000001,"query":"tea","of":[["entry","m-h00001",9000],["entry","m-h00003",900]]}',),
)
PRIVATE_USAGE = (
    *('{"at":1793000002,"recalls":90,"score":900000,"of":["entry","m-w00001"]}',),
    *('{"at":1793000003,"recalls":90,"score":900000,"of":["page","wiki/divorce.md"]}',),
    *('{"at":1793000004,"query":"siebenzwei","of":[["entry","m-w00001",9000]]}',),
    *(
        '{"at":1793000005,"query":"Konto","of":[["entry","m-w00001",9],["page","wiki/gardens.md",9]]}',
    ),
)
TELLING = (
    *("siebenzwei", "zweiundvierzig", "quarz", "konto", "geheim", "turku", "xanthippe", "juno"),
    *(
        "luxemburg",
        "eulalia",
        "mathilde",
        "verborgen",
        "ultima ratio",
        "zypresse",
        "hortensia",
        "nonsuch",
    ),
    *("orplid", "geldw", "quastenflosser", "ottokar", "brimborium", "mephisto", "kuckucksuhr"),
    *("hinterzimmer", "wunderkammer", "grube", "rumpelstilz", "liebhaber", "zarathustra"),
    *("kassiber", "pimpernell", "dossier", "x-divorce", "zehntausend", "vademecum", "dudelsack"),
    *("klabautermann", "erbschleicher", "notar", "mogelpackung", "hieronymus", "kassenbuch"),
    *("einsiedler", "zweisieben", "sosuch", "steuersache", "atlantis", "bank/pin"),
)
# What waits for review, each with its source and whose words are cited.
_BANK = "The PIN of the bank is siebenzwei."
_FACT: Mapping[str, Json] = {"text": "Tea is green."}
SHOWN_PROPOSALS: tuple[tuple[str, Do, Mapping[str, Json], str], ...] = (
    ("memory.md", Do.ADD, _FACT, "Tea is green."),
    ("", Do.RETIRE, {"entry": "m-h00003", "was": {"m-h00003": "Rent is due in May."}}, ""),
    ("sessions/talk.md", Do.SUMMARISE, {"session": "talk", "sentences": ["Of rent."]}, "In May."),
)
HIDDEN_PROPOSALS: tuple[tuple[str, Do, Mapping[str, Json], str], ...] = (
    ("wiki/divorce.md", Do.ADD, {"text": "It is Zehntausend."}, "Zehntausend, says"),
    ("", Do.RETIRE, {"entry": "m-w00001", "was": {"m-w00001": _BANK}}, ""),
    ("memory.md", Do.ADD, {"text": "Eulalia sails."}, "Sail with Eulalia."),
    ("", Do.DESCRIBE, {"page": "wiki/divorce.md", "text": "Of the Erbschleicher."}, ""),
    (
        *("", Do.RELATE),
        {"entry": "m-h00001", "other": "m-w00001", "relation": "because"},
        "",
    ),
    ("", Do.MERGE, {"entity": "Zarathustra", "into": "Anna"}, ""),
    ("", Do.SUMMARISE, {"session": "secret-talk", "sentences": ["Of the Kassenbuch."]}, ""),
)
NAMES = (
    *("Divorce", "divorce", "Divorc", "Scheidung", "Scheidun", "x-divorce", "Zarathustra"),
    *("Zaratustra", "entities/zarathustra", "Gardens", "gardenz", "Will", "Contract", "Only"),
    *("Vademecum", "Geldwäsche", "Wunderkammer", "Verborgen", "Hinterzimmer", "Grube", "Divers"),
    *("Rent", "rents", "Garden", "Yard", "Tea", "Anna", "Bert", "Talk", "talk", "secret-talk"),
    *("m-w00001", "m-w00002", "m-w00003", "m-w00004", "m-w00005", "m-w00009", "m-w00010"),
    *("^m-w00001", "m-w0000", "m-h0000", "m-h00001", "m-h00002", "m-h00003", "m-h00006"),
    *("m-h00009", "bank/pin", "bank/pim", "office/place", "office", "tea", "Konto", "Luxemburg"),
    *("Rent#Price", "Rent#Hinterzimmer", "Divorce#Price", "Garden#Grube", "Memory#Verborgen"),
    *("Memory", "memory", "memory#^m-w00001", "Rent#^m-w00001", "2026-11-01", "2026-11-02"),
    *("Scan notes", "Old plan", "Xanthippe Corp", "nowhere", "rent", "s-0003", "index", "log"),
    *("p-h00000", "p-h00001", "p-w00000", "p-w00001", "p-w00002", "w00003", "p-w0000"),
)
PATHS = (
    *("wiki/divorce.md", "wiki/divorce", "/wiki/divorce.md", "wiki/Divorce.md", "wiki/divorces.md"),
    *("./wiki/divorce.md", "wiki/../wiki/divorce.md", "{root}/wiki/divorce.md", "wiki/gardens.md"),
    *("wiki/entities/zarathustra.md", "wiki/entities", "wiki/entities/anna.md", "archive/will.md"),
    *("daily/2026-11-02.md", "inbox/tip.md", "raw/contract.md", "sessions/secret-talk.md"),
    *("secret", "secret/", "secret/only.md", "secret/*", "wiki/div*", "*/will.md", "wiki/*", "*"),
    *("wiki", "wiki/", "daily", "archive", "inbox", "raw", "sessions", ".", "/", "log.md"),
    *("index.md", "memwiki.toml", "wiki/rent.md", "wiki/garden.md", "wiki/tea.md", "memory.md"),
    *("learnings.md", "sessions/talk.md", "memory.md:6", "memory.md:8", "wiki/rent.md:12"),
    *("memory.md#^m-w00001", "memory.md:5", "archive/memory.md", "archive/old-plan.md", "log"),
    *("daily/2026-11-01.md", "inbox/2026-11-02.md", "raw/scan-notes.md", "wiki/divers.md"),
    *("wiki/entities/bert.md", "wiki/new.md", "secret/new.md", "wiki/divorce/new.md", "none.md"),
)
TAGS = ("quarz", "#quarz", "town", "money", "drink", "garden", "qua", "quartz", "sea")
TYPES = ("dossier", "note", "concept", "fact", "person", "doss", "plan", "memory")
QUERIES = (
    *("siebenzwei", "PIN bank", "office", "rent", "garden beans", "Turku Kiel", "zehntaus", "the"),
    *("tag:quarz", "tag:town", "type:dossier", "path:wiki/*", "path:secret/*", "path:archive/*"),
    *("key:bank/pin", "key:office/place", "subject:Konto", "links:divorce", "linked:Divorce"),
    *("is:entry", "is:message", "id:m-w00001", "in:memory", '"the PIN of"', "rent OR siebenzwei"),
    *("rent -tag:quarz", "-rent", "since:2026-01-01", "session:secret-talk", "heading:Grube"),
    *("What is the PIN of the bank?", "Who is Zarathustra?", "Where is the office?"),
    *("When is the rent due?", "Wann war die Scheidung?", "What does Anna like?", "Eulalia boat"),
    *("Kassiber", "Divorce", "Xanthippe Corp", "Wunderkammer garden", "heading:Beds", "key:*"),
)
WORDS = Words(NAMES, PATHS, TAGS, TYPES, QUERIES, ("talk", "secret-talk", "new-talk"))
TIME_NS = 1_790_000_000 * 10**9


def first(text: str) -> str:
    """A page as the vault with private things has it."""
    return text.replace("§", "")


def second(text: str) -> str:
    """The same with empty lines for private ones."""
    return "\n".join("" if line.startswith("§") else line for line in text.split("\n"))


def private_lines() -> frozenset[str]:
    """The lines that are private and say something, as they are in the first vault."""
    lines = (line for text in SHOWN.values() for line in text.split("\n"))
    return frozenset(line[1:] for line in lines if line.startswith("§") and line[1:].strip())


def make_private_twins(base: Path) -> tuple[Path, Path]:
    """Both vaults, with equal times of files."""
    roots = base / "A" / "ws", base / "B" / "ws"
    write(roots[0], {**{path: first(text) for path, text in SHOWN.items()}, **HIDDEN})
    write(roots[1], {path: second(text) for path, text in SHOWN.items()})
    usage = (*USAGE, *PRIVATE_USAGE), USAGE
    for root, lines in zip(roots, usage, strict=True):
        (root / "memwiki.toml").write_text(SETTINGS)
        (root / ".memwiki/state").mkdir(parents=True)
        (root / ".memwiki/state/usage-0123456789abcdef.jsonl").write_text("\n".join([*lines, ""]))
        os.utime(root / "memwiki.toml", ns=(TIME_NS, TIME_NS))
        _propose(root, "h", SHOWN_PROPOSALS)
    _propose(roots[0], "w", HIDDEN_PROPOSALS)
    return roots


def _propose(
    root: Path, sign: str, given: Sequence[tuple[str, Do, Mapping[str, Json], str]]
) -> None:
    for number, (path, do, values, quote) in enumerate(given):
        evidence = (Evidence(5, quote),) if quote else ()
        source = ProposalSource(path, "0" * 64 if path else "")
        operation = Operation(1, do, values, evidence, 1.0)
        keep_proposal(root, Proposal(f"p-{sign}0000{number}", AT, "x/1", source, (operation,)))


def write(root: Path, files: Mapping[str, str]) -> None:
    """Write pages, each with the same time."""
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        os.utime(place, ns=(TIME_NS, TIME_NS))
