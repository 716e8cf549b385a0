"""
Measures this client: calls a second, the median time of a call, and its processor time in the client and in the core, beside the same writes
inside one process. What runs in V8 is compiled after some thousand calls, so as many go before those that count. Rates are compared, and
not medians: inside the process a few calls carry the work for many.

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
WARM_UP = 6000
INSIDE = """
import { open } from '%s'
import { openHost, operations } from '%s'
const repo = await open(process.argv[2])
const host = await openHost(process.argv[3])
const { input, run } = operations.find(({ name }) => name === 'set')
const work = {
  set: i => repo.set('/n', i, 'Count'),
  get: () => repo.get('/n'),
  operation: i => run(host.context({}), input.parse({ path: '/n', value: i, description: 'Count', idempotency_key: `${process.pid} ${i}` })),
}
for (const [name, call] of Object.entries(work)) {
  const times = []
  let cpu
  for (let i = -%d; i < %d; i++) {
    if (i === 0) cpu = process.cpuUsage()
    const start = performance.now()
    await call(i)
    if (i >= 0) times.push((performance.now() - start) * 1000)
  }
  const used = process.cpuUsage(cpu)
  const mean = times.reduce((a, b) => a + b) / times.length
  console.log(name, times.sort((a, b) => a - b)[times.length >> 1], mean, (used.user + used.system) / times.length)
}
await host.close()
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
        file.write(INSIDE % (f"{root}/packages/agentstategraph/lib/agentstategraph.js", f"{root}/packages/server/lib/index.js", WARM_UP, COUNT))
    node = [os.environ["ASG_NODE"], "--disable-warning=ExperimentalWarning"]
    told_inside = subprocess.run([*node, program, f"{folder}/inside.db", f"{folder}/operation.db"], capture_output=True, text=True, check=True)
    inside: dict[str, float] = {}
    for line in told_inside.stdout.splitlines():
        name, median, mean, cpu = line.split()
        inside[name] = float(mean)
        print(f"{'inside: ' + name:28} median {float(median):7.1f} µs   mean {float(mean):7.1f} µs   {float(cpu):6.1f} µs CPU")
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
            for at in range(WARM_UP):
                call(at)
            own, core = time.process_time(), cpu_of(pid)
            times: list[float] = []
            for at in range(COUNT):
                began = time.perf_counter()
                call(at)
                times.append(time.perf_counter() - began)
            told(name, COUNT, sum(times), time.process_time() - own, cpu_of(pid) - core)
            mean, median = sum(times) / COUNT * 1e6, sorted(times)[COUNT // 2] * 1e6
            ratio = f"{mean / inside[name]:.2f}x of the library inside the process"
            if name == "set":
                ratio += f", {mean / inside['operation']:.2f}x of the operation with its key"
            print(f"{name}: median {median:.1f} µs; {ratio}")
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
