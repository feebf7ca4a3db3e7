"""Links and tags as rows; the graph as nodes, an indented tree, a ranking, or a Mermaid diagram."""

from __future__ import annotations

from memwiki.answers.graph import (
    GraphAnswer,
    GraphEdge,
    GraphNode,
    LikeList,
    LinkList,
    MentionList,
    TagList,
    TagSuggestions,
)
from memwiki.present.rows import (
    CellTable,
    Line,
    LinkEdge,
    PathCell,
    Place,
    PlaceCell,
    Rows,
    one_a_line,
    rows_of,
)
from memwiki.present.terminal import Look, as_path, columns, cut_to_width, line, text_of
from memwiki.present.terminal import name as shown
from memwiki.records import NamedTuple

_UUID_CHARACTERS = 36
_PLAIN_TYPES = ("", "link")
_INDENT_COLUMNS = 3
_MIN_COLUMNS = 20  # of a name


@rows_of.register
def _(answer: LinkList) -> Rows:
    for each in answer.links:
        anchor = f"#^{each.target_id}" if each.target_id else ""
        target = f"{each.target}{anchor}" if each.target else _target_text(each.written)
        place = Place(each.source, each.line, each.line)
        yield LinkEdge(place, each.relation, target, each.status, bool(each.target))


def _target_text(target: str) -> str:
    """What a link names, as a person writes it: a block of Logseq's by its number alone."""
    name, _, block = target.partition("#^")
    return f"(({name}))" if name == block and len(name) == _UUID_CHARACTERS else target


@rows_of.register
def _(answer: LikeList) -> Rows:
    for each in answer.pages:
        yield Line((PathCell(each.path), f"{each.score:.3f}", each.excerpt))


@rows_of.register
def _(answer: MentionList) -> Rows:
    for each in answer.mentions:
        yield Line((PlaceCell(f"{each.path}:{each.line}"), each.excerpt), marked=each.text)


@rows_of.register
def _(answer: TagList) -> Rows:
    yield CellTable([(str(each.count), f"#{each.tag}") for each in answer.tags], whole=(1,))


@rows_of.register
def _(answer: TagSuggestions) -> Rows:
    return one_a_line(f"#{tag}" for tag in answer.tags)


@rows_of.register
def _(answer: GraphAnswer) -> Rows:
    cells = [(str(n.distance), n.end, n.name, f"({n.kind})") for n in answer.nodes]
    yield CellTable(cells, whole=(1,), paths=(1,))


# --- drawn ---


@text_of.register
def _(answer: GraphAnswer, look: Look) -> str:
    """What surrounds one page as a tree; without a single start, the pages by rank."""
    starts = [node for node in answer.nodes if node.distance == 0]
    if len(starts) != 1:
        return "\n".join(_ranking(answer, look))
    return "\n".join([_name(starts[0], look), *_below(starts[0], _branches(answer), look)])


def as_mermaid(answer: GraphAnswer) -> str:
    """Write the graph as a Mermaid flowchart, which many markdown viewers draw."""
    ids = {id(node): f"n{number}" for number, node in enumerate(answer.nodes)}
    lines = [f'  {ids[id(node)]}["{_escape(node.name)}"]' for node in answer.nodes]
    ends = _by_end(answer)
    for edge in answer.edges:
        if edge.source in ends and edge.target in ends:
            arrow = "-->" if edge.type in _PLAIN_TYPES else f'-->|"{_escape(edge.type)}"|'
            lines.append(f"  {ids[id(ends[edge.source])]} {arrow} {ids[id(ends[edge.target])]}")
    return "\n".join(["graph LR", *lines])


class _Branch(NamedTuple):
    """How a node hangs below the one it was reached from."""

    node: GraphNode
    edge: GraphEdge
    is_outgoing: bool


def _by_end(answer: GraphAnswer) -> dict[str, GraphNode]:
    """Nodes by what an edge calls them; a path comes before the name of a page nobody wrote."""
    named = {node.end: node for node in reversed(answer.nodes)}
    return named | {node.end: node for node in answer.nodes if node.path}


def _branches(answer: GraphAnswer) -> dict[int, list[_Branch]]:
    """The first way to each node from one that is nearer to the start, by parent."""
    ends = _by_end(answer)
    seen: set[int] = set()
    found: dict[int, list[_Branch]] = {}
    for edge in answer.edges:
        source, target = ends.get(edge.source), ends.get(edge.target)
        if source is None or target is None or source.distance == target.distance:
            continue
        is_outgoing = source.distance < target.distance
        parent, child = (source, target) if is_outgoing else (target, source)
        if child.distance == parent.distance + 1 and id(child) not in seen:
            seen.add(id(child))
            found.setdefault(id(parent), []).append(_Branch(child, edge, is_outgoing))
    return found


def _below(start: GraphNode, branches: dict[int, list[_Branch]], look: Look) -> list[str]:
    lines: list[str] = []
    waiting = [("", branch) for branch in reversed(branches.get(id(start), []))]
    while waiting:
        indent, branch = waiting.pop()
        is_last = not waiting or len(waiting[-1][0]) < len(indent)
        lines.append(indent + ("└─ " if is_last else "├─ ") + _branch_text(branch, indent, look))
        deeper = indent + ("   " if is_last else "│  ")
        waiting += [(deeper, each) for each in reversed(branches.get(id(branch.node), []))]
    return lines


def _branch_text(branch: _Branch, indent: str, look: Look) -> str:
    arrow = "→" if branch.is_outgoing else "←"
    relation = "" if branch.edge.type in _PLAIN_TYPES else f"{line(branch.edge.type)} "
    taken = len(indent) + _INDENT_COLUMNS + len(arrow) + 1 + len(relation)
    return f"{arrow} {relation}{_name(branch.node, look, taken)}"


def _name(node: GraphNode, look: Look, taken: int = 0) -> str:
    name, place = shown(node.name), as_path(node.end) if node.path else "(wanted)"
    if look.width is not None:
        # The path is what one copies: the name gives way.
        name = cut_to_width(name, max(look.width - taken - 2 - columns(place), _MIN_COLUMNS))
    return f"{look.strong(name)}  {look.faint(place)}"


def _ranking(answer: GraphAnswer, look: Look) -> list[str]:
    ranked = sorted(answer.nodes, key=lambda node: (-node.score, node.name.casefold(), node.path))
    return [f"{node.score:.4f}  {_name(node, look, 8)}" for node in ranked]


def _escape(text: str) -> str:
    return line(text).replace("#", "#35;").replace('"', "#quot;")
