/**
 * What a namespace holds as far as a group of appends can see it: what the tables say, and what the group has added.
 *
 * It is read under the lock, so nobody else changes it before the group is written.
 */
import type { Append, Appended, Move, NewEntry, Seen } from '../../store/contract/backend.ts'
import { refusedAppend } from '../../store/contract/refused-append.ts'
import { bytesArray, eachOf, nameBytes, nameOf, numbersArray } from './literals.ts'
import type { HeadRow, Session, Transaction } from './session.ts'
import { assertFormat } from './tables.ts'

/** What the tables say of the cells that a group names. */
export interface Cells {
  readonly refs: Map<string, number>
  readonly keys: Map<string, number>
  /** Entries that are there and, if they hold commits, have their packs. */
  readonly needs: ReadonlySet<number>
  readonly leaves: ReadonlyMap<number, string>
}

/** The state that a group has made so far, and what it adds. */
export interface GroupState extends Cells {
  seq: number
  time: number
  /** The newest entry before the group. */
  readonly before: HeadRow
  packBytes: number
  readonly entries: { readonly time: number; readonly entry: NewEntry }[]
  readonly newKeys: Map<string, number>
  /** Refs that change; null deletes one. */
  readonly newRefs: Map<string, number | null>
  bytes: number
}

const cellsText = ({ refs, keys, entries, format }: Session['tables']): string => `
  SELECT 'r', asked, seq::float8, NULL FROM ${eachOf('$2::text::bytea[]', `SELECT seq FROM ${refs} WHERE namespace = $1 AND name = asked`)}
  UNION ALL
  SELECT 'k', asked, seq::float8, NULL FROM ${eachOf('$3::text::bytea[]', `SELECT seq FROM ${keys} WHERE namespace = $1 AND name = asked`)}
  UNION ALL
  SELECT 'n', NULL, asked::float8, NULL FROM ${eachOf(
    '$4::text::bigint[]',
    `SELECT 1 FROM ${entries} WHERE namespace = $1 AND seq = asked AND (commit_id IS NULL OR part IS NOT NULL)`,
  )}
  UNION ALL
  SELECT 'l', NULL, asked::float8, leaf FROM ${eachOf('$5::text::bigint[]', `SELECT leaf FROM ${entries} WHERE namespace = $1 AND seq = asked`)}
  UNION ALL SELECT 'f', NULL, version::float8, NULL FROM ${format}`

/** Reads the cells that a group names, in one statement. */
export async function cellsFor(
  session: Session,
  { ask, head }: Transaction,
  namespace: Uint8Array,
  group: readonly Pick<Append, 'moves' | 'keys' | 'needs' | 'seen'>[],
): Promise<Cells> {
  const names = new Set(group.flatMap(({ moves }) => moves.map(({ name }) => name)))
  const keys = new Set(group.flatMap(({ keys = [] }) => keys.map(({ key }) => key)))
  const needs = new Set(group.flatMap(({ needs = [] }) => needs))
  const seen = new Set(group.flatMap(({ seen }) => (seen === undefined || seen.seq === head.seq ? [] : seen.seq)))
  const rows = await ask(cellsText(session.tables), [
    namespace,
    bytesArray([...names].map(nameBytes)),
    bytesArray([...keys].map(nameBytes)),
    numbersArray([...needs]),
    numbersArray([...seen]),
  ])
  const found = { refs: new Map<string, number>(), keys: new Map<string, number>(), needs: new Set<number>() }
  const leaves = new Map<number, string>()
  for (const [kind, name, number, leaf] of rows as [string, unknown, number, string][]) {
    if (kind === 'r') found.refs.set(nameOf(name), number)
    else if (kind === 'k') found.keys.set(nameOf(name), number)
    else if (kind === 'n') found.needs.add(number)
    else if (kind === 'l') leaves.set(number, leaf)
    else assertFormat(session.place, number)
  }
  if (head.leaf !== null) leaves.set(head.seq, head.leaf)
  return { ...found, leaves }
}

/** The state before the first append of a group. */
export function groupState(before: HeadRow, cells: Cells): GroupState {
  const { seq, time, packBytes } = before
  return { ...cells, before, seq, time, packBytes, entries: [], newKeys: new Map(), newRefs: new Map(), bytes: 0 }
}

/** Why an append is refused; undefined when it is not. */
export function checkAppend(state: GroupState, batch: Append): Appended | undefined {
  const { seq, time, keys, refs, needs } = state
  return refusedAppend(
    {
      seq,
      time,
      has: seen => holds(state, seen),
      key: key => keys.get(key),
      ref: name => refs.get(name),
      hasNodes: need => needs.has(need) || isAdded(state, need),
    },
    batch,
  )
}

function holds({ before, leaves }: GroupState, seen: Seen): boolean {
  return before.first === seen.first && leaves.get(seen.seq) === seen.leaf
}

function isAdded({ before, seq }: GroupState, needed: number): boolean {
  return needed > before.seq && needed <= seq
}

/** Adds the entries, keys and moves of an append that was checked. */
export function addTo(state: GroupState, entries: readonly NewEntry[], { time, moves, keys = [] }: Append): void {
  const first = state.seq + 1
  for (const entry of entries) {
    state.entries.push({ time, entry })
    for (const { bytes } of entry.parts) {
      state.packBytes += bytes.length
      state.bytes += bytes.length
    }
    state.bytes += entry.text.length + (entry.commit?.text.length ?? 0)
  }
  state.seq += entries.length
  state.time = time
  for (const { key, entry } of keys) {
    state.keys.set(key, first + entry)
    state.newKeys.set(key, first + entry)
  }
  for (const move of moves) moveRef(state, move, first)
}

function moveRef({ refs, newRefs }: GroupState, { name, expect, to }: Move, first: number): void {
  const seq = typeof to === 'object' && to !== null ? first + to.entry : to
  if (seq === expect) return
  if (seq === null) refs.delete(name)
  else refs.set(name, seq)
  newRefs.set(name, seq)
}
