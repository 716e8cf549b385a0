/** Graphs on the public suite: without a repository, in memory, in a file, and on a store that answers every call later. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { kvBackend } from '../../src/backends/index.ts'
import { open } from '../../src/repository/index.ts'
import { type GraphPlace, graphConformance, memoryKV } from '../../src/testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'asg-graphs-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

interface Kind {
  readonly name: string
  /** The cases that need one of these are run. */
  readonly has: readonly ('repository' | 'lasting' | undefined)[]
  newPlace(): GraphPlace
}

const kinds: readonly Kind[] = [
  { name: 'nothing kept', has: [undefined], newPlace: () => ({ open: () => undefined }) },
  { name: 'memory', has: [undefined, 'repository'], newPlace: () => ({ open: () => open() }) },
  {
    name: 'SQLite',
    has: [undefined, 'repository', 'lasting'],
    newPlace() {
      const file = join(folder, `${files++}.db`)
      return { open: () => open(file) }
    },
  },
  {
    name: 'a key-value store',
    has: [undefined, 'repository', 'lasting'],
    newPlace() {
      const content = new Map<string, Uint8Array>()
      return { open: () => open(kvBackend(memoryKV(content))) }
    },
  },
]

describe.each(kinds)('graphs with $name', ({ has, newPlace }) => {
  for (const { name, needs, run } of graphConformance) it.skipIf(!has.includes(needs))(name, () => run(newPlace()))
})
