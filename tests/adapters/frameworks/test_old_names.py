"""The names of before still import for one release, and say what they are called now."""

import subprocess
import sys

from tests.effort import for_each

OLD = {
    "memwiki.integrations.langgraph_store": "memwiki.adapters.frameworks.langgraph_store",
    "memwiki.integrations.langchain_memory": "memwiki.adapters.frameworks.langchain_memory",
    "memwiki.integrations.llama_index_memory": "memwiki.adapters.frameworks.llama_index_memory",
    "memwiki.integrations.openai_agents_memory": "memwiki.adapters.frameworks.openai_agents_memory",
    "memwiki.integrations.anthropic_memory": "memwiki.adapters.frameworks.anthropic_memory",
}


@for_each("old", OLD)
def test_an_old_name_is_the_same_module_and_warns_of_it(old):
    # In a process of its own: what is imported once warns no more.
    script = (
        f"import sys, warnings; from importlib import import_module\n"
        f"with warnings.catch_warnings(record=True) as said:\n"
        f"    warnings.simplefilter('always'); found = import_module({old!r})\n"
        f"(each,) = said; assert each.category is DeprecationWarning\n"
        f"print(each.message); assert found is import_module({OLD[old]!r})\n"
        f"above, _, name = {old!r}.rpartition('.')\n"
        f"assert getattr(import_module(above), name) is found\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(" now")
