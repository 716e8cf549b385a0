"""
Measures this client: calls a second, and the processor time of a call in the client and in the core, beside the same writes inside one process.

    ASG_NODE=… ASG_BUNDLE=… PYTHONPATH=clients/python/src python3 clients/python/bench.py
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time

from agentstategraph import AsyncStateGraph, StateGraph

COUNT = int(os.environ.get("BENCH_COUNT", "5000"))
MANY = int(os.environ.get("BENCH_MANY", "100000"))
TICKS = os.sysconf("SC_CLK_TCK")
INSIDE = """
import { open } from '%s'
const repo = await open(process.argv[2])
const set = async n => { for (let i = 0; i < n; i++) await repo.set('/n', i, 'Count') }
const get = async n => { for (let i = 0; i < n; i++) await repo.get('/n') }
for (const [name, run] of Object.entries({ set, get })) {
  await run(2000)
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await run(%d)
  const used = process.cpuUsage(cpu)
  console.log(name, (performance.now() - start) / %d * 1000, (used.user + used.system) / %d)
}
"""


def cpu_of(pid: int) -> float:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_of(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) // 1024


def told(name: str, count: int, wall: float, own: float, core: float) -> None:
    print(f"{name:28} {count / wall:9.0f}/s   wall {wall / count * 1e6:7.1f} µs   client {own / count * 1e6:6.1f} µs CPU   core {core / count * 1e6:7.1f} µs CPU", flush=True)


def main() -> None:
    folder = tempfile.mkdtemp()
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), os.pardir, os.pardir))
    program = os.path.join(folder, "inside.mjs")
    with open(program, "w", encoding="utf-8") as file:
        file.write(INSIDE % (f"{root}/packages/agentstategraph/lib/agentstategraph.js", COUNT, COUNT, COUNT))
    node = [os.environ["ASG_NODE"], "--disable-warning=ExperimentalWarning"]
    inside = subprocess.run([*node, program, f"{folder}/inside.db"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{inside}  (inside: µs wall, µs CPU)")
    inside_set = float(inside.split()[1])
    bare = os.times()
    subprocess.run([node[0], "-e", "0"], check=True)
    ended = os.times()
    print(f"bare node: {ended.children_user + ended.children_system - bare.children_user - bare.children_system:.3f} s CPU")
    start = time.perf_counter()
    code = f"from agentstategraph import StateGraph; sg = StateGraph({folder + '/inside.db'!r}); sg.get('/n')"
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    print(f"import, open, first get and end: {time.perf_counter() - start:.3f} s wall, {cpu:.3f} s CPU")
    with StateGraph(f"{folder}/calls.db") as sg:
        pid = sg._transport.child.pid  # type: ignore[attr-defined]
        sg.set("/n", -1, "Begin")
        print(f"idle core: {memory_of(pid)} MB")
        for name, call in (("set", lambda at: sg.set("/n", at, "Count")), ("get", lambda at: sg.get("/n"))):
            for at in range(2000):
                call(at)
            began, own, core = time.perf_counter(), time.process_time(), cpu_of(pid)
            for at in range(COUNT):
                call(at)
            wall = time.perf_counter() - began
            told(name, COUNT, wall, time.process_time() - own, cpu_of(pid) - core)
            if name == "set":
                print(f"set, against the same inside the process: {wall / COUNT * 1e6 / inside_set:.2f}x")
    asyncio.run(main_async(folder))


async def main_async(folder: str) -> None:
    async with AsyncStateGraph(f"{folder}/async.db") as sg:
        pid = sg._transport.child.pid  # type: ignore[attr-defined]
        await sg.set("/n", -1, "Begin")
        began, own, core = time.perf_counter(), time.process_time(), cpu_of(pid)
        for _ in range(COUNT // 100):
            await asyncio.gather(*(sg.get("/n") for _ in range(100)))
        told("get, async, 100 at once", COUNT, time.perf_counter() - began, time.process_time() - own, cpu_of(pid) - core)
        began, own, core = time.perf_counter(), time.process_time(), cpu_of(pid)
        most = 0
        for at in range(0, MANY, 1000):
            await asyncio.gather(*(sg.set(f"/m/{n % 100}", n, "Count") for n in range(at, at + 1000)))
            most = max(most, memory_of(pid))
        told("set, async, 1000 at once", MANY, time.perf_counter() - began, time.process_time() - own, cpu_of(pid) - core)
        print(f"core: {most} MB at most")


if __name__ == "__main__":
    main()
