"""Sources and workspaces held in memory."""

from memwiki.carry.source import HEAD_BYTES
from memwiki.importing import ImportTarget
from memwiki.nouns import Layers

LAYERS = Layers(
    memory="memory.md", learnings="learnings.md", sessions="sessions", wiki="wiki", inbox="inbox"
)
DAY = "2026-03-04"


class Files:
    """Files with names, as a folder, an archive or one file gives them."""

    def __init__(self, files, name="memory"):
        self.name, self._files = name, files

    def names(self):
        return sorted(self._files)

    def read(self, name):
        return self._files[name]

    def head(self, name):
        return self._files[name][:HEAD_BYTES]


def one_file(data, name="memory.jsonl"):
    return Files({name: data}, name)


def into(files, layers=LAYERS):
    def pages(folder):
        return [path for path in files if path.startswith(f"{folder}/")]

    return ImportTarget(files.get, layers, DAY, pages)


def after(files, incoming):
    """The workspace once all files of an import are written."""
    return files | {each.path: each.data for each in incoming.files}
