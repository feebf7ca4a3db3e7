"""What a directory of plugins asks of one beside its manifest: a page for people, the license, a
picture."""

from __future__ import annotations

README = """\
# memwiki

Long-term memory in a folder of markdown, shared by people and agents. The plugin brings a
server of tools (recall, search, read, add, update, forget, write, links and others), hooks that
show what is remembered at the start of a conversation and at each prompt, and a skill that says
when to look and what to keep.

## Before it works

1. Install the program: `pip install 'memwiki[mcp]'`. `memwiki` has to be on the PATH.
2. Make the folder of your project, or one above it, a workspace: `memwiki init --adopt .`
3. Build the index once: `memwiki sync`.

## Use

Ask as usual: "what did we decide about the cache?", "remember that Anna prefers tea". `memwiki
agent status` shows whether the hooks run, and where they had no answer in time; `memwiki undo`
takes the last change back.

## Privacy

Everything stays in files on this machine. No hook or tool uses the network or asks a model, and
nothing of a conversation is recorded unless you ask for it with `memwiki agent install
--capture`.
"""
ICON = """\
<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <rect width="512" height="512" rx="96" fill="#1f4e5f"/>
  <path d="M112 376V136l144 136 144-136v240" fill="none" stroke="#fff" stroke-width="48"
    stroke-linecap="round" stroke-linejoin="round"/>
</svg>
"""
LICENSE = """\
MIT License

Copyright (c) 2026 The memwiki contributors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""
