"""The published reference memory server, asked over its standard streams."""

import json
import os
import shutil
import subprocess
from pathlib import Path

FOLDER = "MEMWIKI_SERVER_MEMORY"  # where `npm install @modelcontextprotocol/server-memory` was run
_PROGRAM = "node_modules/@modelcontextprotocol/server-memory/dist/index.js"


def why_absent():
    """Why the server cannot be asked here; "" when it can."""
    if not shutil.which("node"):
        return "Node is not there"
    program = Path(os.environ.get(FOLDER, "")) / _PROGRAM
    return "" if program.exists() else f"{FOLDER} names no folder with the package"


class PublishedServer:
    """One process of the server, with its file."""

    def __init__(self, file):
        environ = {**os.environ, "MEMORY_FILE_PATH": str(file)}
        command = ["node", str(Path(os.environ[FOLDER]) / _PROGRAM)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env=environ, **pipes)
        self._count = 0
        client = {"name": "memwiki", "version": "1"}
        self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client},
        )
        self._send({"method": "notifications/initialized"})

    def ask(self, method, params):
        """The result of a request."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._count:
                return answer["result"]

    def call(self, name, arguments):
        """The result of a call of a tool."""
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _send(self, message):
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()
