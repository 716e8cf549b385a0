/**
 * Generators: stored values of every kind, and edits that meet what is there.
 *
 * An edit is generated as numbers and read against a state, so that most of them hit, and states that come from one
 * another share structure as they do in use.
 */
import fc from 'fast-check'
import { type Stored, storedKey } from '../../../src/core/index.ts'
import type { Edit } from '../../../src/tree/index.ts'
import { editedPlain, type Plain, plainOf, storedOf } from './plain.ts'

/** Keys as users write them, among them all that need care. */
export const awkwardKeys: readonly string[] = [
  ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'zz', '', '-', '0', '1', '2', '9', '10', '007', '$', '$x', '$$y'],
  ...['$date', '__proto__', 'constructor', 'é', '😀', '\ufb33', 'a/b', '~1', '"', '\u0000', 'a long key of no use'],
]

export const key: fc.Arbitrary<string> = fc.constantFrom(...awkwardKeys)

const base64: fc.Arbitrary<string> = fc
  .uint8Array({ maxLength: 90 })
  .map(bytes => Buffer.from(bytes).toString('base64'))

const tagged: fc.Arbitrary<Stored> = fc.oneof(
  fc.constantFrom<Stored>({ $undefined: true }, { $date: '2026-01-02T03:04:05.006Z' }, { $number: 'NaN' }),
  fc.bigInt().map((value): Stored => ({ $bigint: `${value}` })),
  base64.map((value): Stored => ({ $bytes: value })),
  base64.map((value): Stored => ({ $buffer: value })),
  fc.uniqueArray(fc.nat(40), { maxLength: 12 }).map($set => ({ $set })),
)

/** Strings of few characters, so that long ones have equal pieces, with some that take two, three and four bytes. */
const text: fc.Arbitrary<string> = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€', '😀', '\n'), maxLength: 70 })

const small: fc.Arbitrary<Stored> = fc.constantFrom<Stored>(0, 1, 2, -1.5, 1e21, null, true, false, '', 'x', 'y')

export const scalar: fc.Arbitrary<Stored> = fc.oneof(
  { weight: 4, arbitrary: small },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: tagged },
)

/** Lists of one, two or three distinct values. */
export const fewValued: fc.Arbitrary<Stored[]> = fc
  .uniqueArray(scalar, { minLength: 1, maxLength: 3, selector: value => JSON.stringify(value) })
  .chain(values => fc.array(fc.constantFrom(...values), { maxLength: 40 }))

/** A map in the stored form, with these users' keys. */
export function mapOf(entries: Iterable<readonly [string, Stored]>): Stored {
  const map: { [key: string]: Stored } = Object.create(null)
  for (const [name, value] of entries) map[storedKey(name)] = value
  return map
}

export const value: fc.Arbitrary<Stored> = fc.letrec<{ value: Stored }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fewValued },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 12 }) },
    { weight: 2, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 14 }).map(mapOf) },
  ),
})).value

/** A state: a map, most often of several containers. */
export const state: fc.Arbitrary<Stored> = fc.array(fc.tuple(key, value), { maxLength: 16 }).map(mapOf)

/** An edit before it is known what it meets. */
export interface EditSeed {
  readonly kind: 'set' | 'insert' | 'delete' | 'copy' | 'rework' | 'move'
  readonly steps: readonly number[]
  readonly others: readonly number[]
  readonly value: Stored
}

export const editSeed: fc.Arbitrary<EditSeed> = fc.record({
  kind: fc.constantFrom('set', 'set', 'insert', 'insert', 'delete', 'delete', 'copy', 'rework', 'move'),
  steps: fc.array(fc.nat(200), { minLength: 1, maxLength: 4 }),
  others: fc.array(fc.nat(200), { minLength: 1, maxLength: 3 }),
  value,
})

const step = fc.constantFrom(1, 2, 4, 5, 7, 8, 10, 11, 13, 14)
const few: fc.Arbitrary<Stored> = fc.constantFrom<Stored>(0, 1, { n: 0 }, { n: 1 }, [0], [0, 1])

/** A state of few values, in which equal elements abound and what changes soon changes back. */
export const crampedState: fc.Arbitrary<Stored> = fc.record({
  bits: fc.array(fc.nat(1), { maxLength: 7 }),
  map: fc.record({ a: few, b: few, c: fc.record({ d: few, e: few }) }),
  mixed: fc.array(few, { maxLength: 7 }),
})

/** An edit that meets what is there, in a cramped state. */
export const crampedSeed: fc.Arbitrary<EditSeed> = fc.record({
  kind: fc.constantFrom('set', 'set', 'insert', 'delete', 'copy', 'rework', 'move', 'move'),
  steps: fc.array(step, { minLength: 2, maxLength: 3 }),
  others: fc.array(step, { minLength: 1, maxLength: 2 }),
  value: few,
})

/** Reads a seed against a state. A copy repeats a value elsewhere, a rework sets a container to one a little different. */
export function editsFrom(seed: EditSeed, state: Plain): Edit[] {
  const path = pathFrom(seed.steps, state)
  switch (seed.kind) {
    case 'set':
    case 'insert':
      return [{ op: seed.kind, path, value: seed.value }]
    case 'delete':
      return [{ op: 'delete', path }]
    case 'copy':
      return [{ op: 'insert', path, value: findValue(pathFrom(seed.others, state), state) ?? seed.value }]
    case 'rework':
      return [{ op: 'set', path, value: reworked(seed, findValue(path, state)) }]
    case 'move':
      return moved(path, state, seed)
  }
}

function reworked(seed: EditSeed, old: Stored | undefined): Stored {
  if (old === undefined) return seed.value
  const plain = plainOf(old)
  if (!(plain instanceof Map) && !Array.isArray(plain)) return old
  const path = pathFrom(seed.others, plain)
  const op = seed.others[0]! % 3 === 0 ? 'delete' : 'insert'
  const next = findEdited(plain, op === 'delete' ? { op, path } : { op, path, value: seed.value })
  return next === undefined ? old : storedOf(next)
}

function moved(path: readonly string[], state: Plain, seed: EditSeed): Edit[] {
  const value = findValue(path, state)
  if (value === undefined) return [{ op: 'delete', path }]
  const siblings = findPlain(path.slice(0, -1), state)
  const places = Array.isArray(siblings) ? siblings.length : 1
  const to = Array.isArray(siblings)
    ? `${seed.others[0]! % places}`
    : awkwardKeys[seed.others[0]! % awkwardKeys.length]!
  return [
    { op: 'delete', path },
    { op: 'insert', path: [...path.slice(0, -1), to], value },
  ]
}

/** A path below a state: mostly to what is there, sometimes to a new key or past an end, seldom below a scalar. */
function pathFrom(steps: readonly number[], state: Plain): string[] {
  const path: string[] = []
  let at: Plain | undefined = state
  for (const step of steps) {
    if (at instanceof Map) {
      const keys = [...at.keys()]
      path.push(step % 3 === 0 ? awkwardKeys[step % awkwardKeys.length]! : (keys[step % (keys.length + 1)] ?? 'new'))
    } else if (Array.isArray(at)) {
      const index = step % (at.length + 2)
      path.push(step === 200 ? 'x' : index > at.length ? '-' : `${index}`)
    } else if (at === undefined || step % 11 === 0 || path.length === 0) path.push('a')
    else return path
    at = childAt(at, path.at(-1)!)
  }
  return path
}

function childAt(at: Plain | undefined, segment: string): Plain | undefined {
  if (at instanceof Map) return at.get(segment)
  return Array.isArray(at) ? at[Number(segment)] : undefined
}

function findPlain(path: readonly string[], state: Plain): Plain | undefined {
  return path.reduce<Plain | undefined>(childAt, state)
}

function findValue(path: readonly string[], state: Plain): Stored | undefined {
  const found = findPlain(path, state)
  return found === undefined ? undefined : storedOf(found)
}

/** Reads batches of seeds one after another, each edit against what the ones before it left; refused ones are left out. */
export function playedBatches(start: Stored, batches: readonly (readonly EditSeed[])[]): readonly PlayedBatch[] {
  let now = plainOf(start)
  return batches.map(seeds => {
    const edits: Edit[] = []
    for (const seed of seeds) {
      for (const one of editsFrom(seed, now)) {
        const next = findEdited(now, one)
        if (!(next instanceof Map)) continue
        now = next
        edits.push(one)
      }
    }
    return { edits, after: storedOf(now) }
  })
}

/** The state after an edit, or undefined when it is refused or leaves nothing. */
function findEdited(state: Plain, edit: Edit): Plain | undefined {
  try {
    const next = editedPlain(state, edit)
    return next
  } catch {
    return undefined
  }
}

export interface PlayedBatch {
  readonly edits: readonly Edit[]
  readonly after: Stored
}

/** A state, and batches of edits that lead on from it. */
export function editedState(batches: number, size: number): fc.Arbitrary<EditedState> {
  return fc
    .tuple(state, fc.array(fc.array(editSeed, { maxLength: size }), { minLength: batches, maxLength: batches }))
    .map(([start, seeds]) => ({ start, batches: playedBatches(start, seeds) }))
}

export interface EditedState {
  readonly start: Stored
  readonly batches: readonly PlayedBatch[]
}
