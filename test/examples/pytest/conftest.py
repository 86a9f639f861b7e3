"""Fixture `shoal`: the address of a node in memory for the tests of this run. The command is `npx shoal`, or what SHOAL says."""
import json, os, shlex, subprocess
import pytest

@pytest.fixture(scope="session")
def shoal():
    command = shlex.split(os.environ.get("SHOAL", "npx shoal")) + ["test-node", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        yield json.loads(node.stdout.readline())["url"]
        node.terminate()
