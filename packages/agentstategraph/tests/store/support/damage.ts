/**
 * A small store of every kind of entry, and what reading it must give when one byte of it is not what it was.
 *
 * It knows what is promised, and not how a byte comes to be changed.
 */
import { expect } from 'vitest'
import { isStateError, type Stored } from '../../../src/core/index.ts'
import { land } from '../../../src/repo/write/land.ts'
import { write, writer } from '../../../src/repo/write/write.ts'
import { appendEntries, type Backend, findHead, openJournal } from '../../../src/store/index.ts'
import { rootOf } from '../../../src/tree/index.ts'
import { infoOf, readWhole, setsOf } from './journals.ts'

/** The sequence numbers of what `writeSmallStore` writes. */
export const written = { genesis: 1, small: 2, detailed: 3, large: 4, ref: 5 } as const
const newest = written.ref

const clock = () => new Date('2026-01-02T03:04:05.006Z')
const ids = () => 'origin-1'

/** Fills one part of a pack, so that what comes after it lies in a second. */
const longText = 'a long text, '.repeat(4900)

/** Writes five entries: one without a commit at each end, and between them commits with one part and with two. */
export async function writeSmallStore(backend: Backend): Promise<void> {
  const journal = await openJournal(backend, { clock, ids })
  const { run } = journal
  const writing = writer(journal)
  const small = { '/é': [1, 'two', { three: null }], '/map': { key: 'x'.repeat(150), other: { $date: null } } }
  await run(write(writing, 'branch/main', setsOf(small), { info: infoOf('A small state') }))
  const head = (await run(findHead(journal, 'branch/main')))!
  const detail = rootOf(journal.context, { alternatives: ['wait', 'y'.repeat(200)] } as Stored, 0)
  const system = rootOf(journal.context, { schema: 1 } as Stored, 0)
  const landing = {
    ref: 'branch/main',
    head,
    tree: head.tree,
    system,
    detail,
    changed: [],
    info: infoOf('With detail'),
  }
  await run(land(writer(journal), landing))
  await run(write(writing, 'branch/main', setsOf({ '/long': longText }), { info: infoOf('A long text') }))
  await run(
    appendEntries(journal, [{ kind: 'ref', agent: 'agent/test' }], [{ name: 'tag/a', expect: null, to: head.seq }]),
  )
}

/** For each entry: what it leads to as a text, or the error that reading it gave. */
export type Answers = readonly (string | Error)[]

/** Answers for the entries from one on: those before it never lead to it. */
export async function readAll(backend: Backend, from: number): Promise<Answers> {
  const answers: (string | Error)[] = []
  for (let seq = from; seq <= newest; seq++) {
    try {
      // Opened anew each time, so that no cache answers for what is stored.
      const journal = await openJournal(backend, { cacheBytes: 0 })
      answers.push(JSON.stringify(await journal.run(readWhole(journal, seq))))
    } catch (e) {
      answers.push(e as Error)
    }
  }
  return answers
}

/** Every answer is either the right one or an error that names the damaged entry, and at least one is such an error. */
export function expectNoticed(answers: Answers, right: Answers, seq: number, where: string): void {
  const wrong = answers.filter((answer, i) => answer !== right[i] && !namesDamage(answer, seq))
  expect(wrong, `${where}: answers that are neither right nor name entry ${seq}`).toEqual([])
  const noticed = answers.some(answer => namesDamage(answer, seq))
  expect(noticed, `${where}: nobody noticed`).toBe(true)
}

function namesDamage(answer: string | Error, seq: number): boolean {
  if (!isStateError(answer, 'object-corrupt') && !isStateError(answer, 'pack-dropped')) return false
  return (answer.data as { readonly seq: number }).seq === seq
}

const masks = [0x01, 0x80, 0xff, 0x20] as const

/** All of them in what is short; in what is long, those at both ends and every 97th between. */
export function placesIn(length: number): number[] {
  const places = Array.from({ length }, (_, i) => i)
  return length < 4000 ? places : places.filter(i => i < 100 || i >= length - 100 || i % 97 === 0)
}

/**
 * Every third of them, and the first ones, for a backend of its own. What notices damage stands above all backends and is
 * tried with every byte of what a backend answers; here only the way a backend keeps bytes could hide it. Three and the
 * number of masks have no divisor in common, so every mask is used.
 */
export function somePlacesIn(length: number): number[] {
  return placesIn(length).filter(place => place < 12 || place % 3 === 0)
}

/** The bytes with one of them changed, in a way that depends on its place. */
export function flipped(bytes: Uint8Array, place: number): Uint8Array {
  const damaged = bytes.slice()
  damaged[place]! ^= masks[place % masks.length]!
  return damaged
}
