/** Processes killed with SIGKILL in the middle of a graph: the next one goes on with what had not finished. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { verify } from '../../src/maintenance/index.ts'
import { open } from '../../src/repository/index.ts'
import { startWorker, untilSaid } from '../processes/worker-process.ts'
import { seeded } from '../store/support/seeded.ts'
import { newFile } from '../store/support/sqlite-file.ts'

interface Line {
  readonly effect?: string
  readonly kept?: string
  readonly status?: string
  readonly state?: unknown
}

const rounds = 3
const width = 6
/** CompiledGraphPlan, its Sends and gather, in each round. */
const effects = rounds * (width + 2)

/** One process: killed after so many lines and turns of the loop, or left to its end. */
async function runUntil(file: string, lines: number, turns: number): Promise<readonly Line[]> {
  const worker = await startWorker('graph-steps-worker.mjs', { file, rounds, width })
  worker.begin()
  if (await untilSaid(worker, lines + 1)) for (let turn = 0; turn < turns; turn++) await setImmediate()
  worker.child.kill('SIGKILL')
  await worker.ended
  return worker.lines.slice(1) as Line[]
}

/** What the graph comes to when nobody is killed. */
const expected = {
  round: rounds,
  done: Array.from({ length: rounds }, (_, r) => Array.from({ length: width }, (_, i) => `one ${r}.${i}`)).flat(),
  log: Array.from({ length: rounds }, (_, r) => [`plan ${r}`, `gather ${r}`]).flat(),
}

it('killed again and again, the graph comes to the same end, and no kept effect happens twice', async () => {
  const file = newFile()
  const random = seeded(7)
  const said: Line[] = []
  for (let kills = 0; kills < 40; kills++) {
    const lines = await runUntil(file, 1 + Math.floor(random() * 20), Math.floor(random() * 4))
    said.push(...lines)
    if (lines.at(-1)?.status !== undefined) break
  }
  expect(said.at(-1)).toEqual({ status: 'done', state: expected })
  const happened = said.flatMap(({ effect }) => (effect === undefined ? [] : [effect]))
  expect(new Set(happened).size).toBe(effects)
  // What was told to be kept is never done again, whoever was killed when.
  const kept = new Set<string>()
  for (const line of said) {
    if (line.effect !== undefined) expect(kept).not.toContain(line.effect)
    if (line.kept !== undefined) kept.add(line.kept)
  }
  await using repo = await open(file)
  expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
})
