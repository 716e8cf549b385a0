/** The merge of texts against `git merge-file`, on edits of this project's own source files. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mergeText } from '../../src/tree/merge/merge-text.ts'
import { type EditedPair, editedPair, heldSources, ownSources } from './support/edited-source.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const PAIRS = isSoak ? 10_000 : 80
const AT_ONCE = 4
const sources = isSoak ? ownSources() : heldSources

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'asg-text-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What git makes of a pair; undefined when it is a conflict. */
function mergedByGit({ base, ours, theirs }: EditedPair, worker: number): Promise<string | undefined> {
  const files = Object.entries({ ours, base, theirs }).map(([side, text]) => {
    const file = join(folder, `${worker}-${side}`)
    writeFileSync(file, text)
    return file
  })
  return new Promise((resolve, reject) => {
    execFile('git', ['merge-file', '--stdout', '--quiet', ...files], { maxBuffer: 2 ** 26 }, (error, stdout) => {
      // The exit code is the number of conflicts, at most 127; above that it is a fault.
      if (error === null) resolve(stdout)
      else if (typeof error.code === 'number' && error.code < 128) resolve(undefined)
      else reject(error)
    })
  })
}

interface Counts {
  /** Conflicts of git, and of ours where git has none. */
  byGit: number
  oursAlone: number
  readonly different: number[]
}

async function compared(worker: number, counts: Counts): Promise<void> {
  for (let seed = 1 + worker; seed <= PAIRS; seed += AT_ONCE) {
    const pair = editedPair(sources, seed)
    const theirs = await mergedByGit(pair, worker)
    const ours = mergeText(pair.base, pair.ours, pair.theirs)
    if (theirs === undefined) counts.byGit++
    else if (ours === undefined) counts.oursAlone++
    else if (ours !== theirs) counts.different.push(seed)
  }
}

describe.runIf(spawnSync('git', ['--version']).status === 0)('against git', () => {
  it(
    'two edits of a source file give the same text, and hardly more conflicts',
    async () => {
      const counts: Counts = { byGit: 0, oursAlone: 0, different: [] }
      await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => compared(worker, counts)))
      expect(counts.different).toEqual([])
      expect(counts.oursAlone).toBeLessThanOrEqual(PAIRS * 0.005)
      // Most pairs are clean, and some are not: the comparison says something.
      expect(counts.byGit).toBeGreaterThan(PAIRS * 0.1)
      expect(counts.byGit).toBeLessThan(PAIRS * 0.6)
    },
    isSoak ? 3_600_000 : 60_000,
  )
})
