/** A loss of power at any moment: what was acknowledged as durable is there, and what is there is whole. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { verify } from '../../src/maintenance/index.ts'
import { open, type Warning } from '../../src/repository/index.ts'
import type { Durability } from '../../src/store/index.ts'
import { keyFileSigner, protect, subjectKeyFolder } from '../../src/trust/index.ts'
import { makeRecorder, playBack, type Recording, recorded } from './support/lost-power.ts'
import { seeded } from './support/seeded.ts'
import { integrityOf } from './support/sqlite-file.ts'

const isSoak = process.env['ASG_SOAK'] === '1'
const rounds = isSoak ? 40 : 9
const losses = isSoak ? 260 : 12

const base = mkdtempSync(join(tmpdir(), 'asg-power-'))
afterAll(() => rmSync(base, { recursive: true }))
const recorder = makeRecorder(base)
let folders = 0
const newFolder = (): string => join(base, `${folders++}`)

/** What the worker says of a write, and of a backup. */
interface Written {
  readonly seq: number
  readonly id: string
  readonly path: string
  readonly value: unknown
}

interface BackedUp {
  readonly backup: string
  readonly entries: number
}

async function lose(recording: Recording, count: number, seed: number, how: How): Promise<void> {
  const folder = newFolder()
  const said = playBack(recording, count, seeded(seed), folder)
  const lines = said
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line) as object)
  const written = lines.filter((line): line is Written => 'seq' in line)
  const file = join(folder, 'state.db')
  const warnings: Warning[] = []
  const keys = await subjectKeyFolder(join(folder, 'keys'))
  const isKeyMade = lines.some(line => 'key' in line)
  await using repo = await open(file, {
    protect: protect({ patterns: ['/people/{subject}'], keys }),
    ...(isKeyMade ? { signer: await keyFileSigner(join(folder, 'signer.key')) } : {}),
    onWarning: warning => warnings.push(warning),
  })
  expect(await verify(repo)).toMatchObject({ ok: true, damage: [] })
  const ids = new Set((await repo.log()).map(({ id }) => id))
  const lost = written.filter(({ id }) => !ids.has(id))
  if (how.durability === 'normal') {
    // A tail may be missing, and nothing before it.
    expect(lost.map(({ id }) => id)).toEqual(written.slice(written.length - lost.length).map(({ id }) => id))
    expect(warnings.map(({ code }) => code).filter(code => code !== 'history-lost')).toEqual([])
  } else {
    expect([lost, warnings]).toEqual([[], []])
    const newest = new Map(written.map(({ path, value }) => [path, value]))
    for (const [path, value] of newest) if (path.startsWith('/people')) expect(await repo.get(path)).toEqual(value)
  }
  for (const { id, path } of written) if (path.startsWith('/people') && ids.has(id)) await repo.get(path)
  for (const { backup, entries } of lines.filter((line): line is BackedUp => 'backup' in line)) {
    await using copy = await open(join(folder, backup), { readOnly: true })
    expect(await verify(copy)).toMatchObject({ ok: true, checked: entries })
  }
  await repo.close()
  expect(integrityOf(file)).toBe('ok')
  rmSync(folder, { recursive: true })
}

interface How {
  readonly durability: Durability
  readonly isSigned: boolean
}

const ways: readonly How[] = [
  { durability: 'full', isSigned: false },
  { durability: 'group', isSigned: true },
  { durability: 'normal', isSigned: false },
]

it('a compiler is there where it must be', () => {
  // Elsewhere the tests below say that they were skipped.
  const isNeeded = process.env['CI'] !== undefined && process.platform === 'linux'
  if (isNeeded) expect(recorder, 'install a C compiler: CI has to run these tests').toBeDefined()
})

describe.runIf(recorder !== undefined).each(ways)(
  'with $durability, signed: $isSigned (skipped without a C compiler on Linux),',
  how => {
    it(`${losses} losses of power leave what was promised`, async () => {
      const folder = mkdtempSync(join(base, 'recorded-'))
      const recording = await recorded(recorder!, 'power-worker.mjs', folder, { ...how, rounds })
      expect(recording.some(({ kind }) => kind === 'sync')).toBe(true)
      const random = seeded(7)
      for (let n = 0; n < losses; n++) await lose(recording, 1 + Math.floor(random() * recording.length), n, how)
    })
  },
)
