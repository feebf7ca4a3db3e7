"""Run one command and write what it used as JSON: `alone.py REPORT COMMAND...`.

A process of its own because Linux counts the memory of whoever starts a program as the program's
own: started from here the floor is 9 MB, started from a benchmark it would be the benchmark's.
"""

import json
import os
import sys
import time

report, *command = sys.argv[1:]
started = time.perf_counter()
child = os.posix_spawn(command[0], command, os.environ)
_, status, used = os.wait4(child, 0)
wall_s = time.perf_counter() - started
scale = 1024 * 1024 if sys.platform == "darwin" else 1024
usage = {
    "cpu_s": used.ru_utime + used.ru_stime,
    "wall_s": wall_s,
    "peak_mb": used.ru_maxrss / scale,
    "code": os.waitstatus_to_exitcode(status),
}
with open(report, "w", encoding="utf-8") as file:
    json.dump(usage, file)
