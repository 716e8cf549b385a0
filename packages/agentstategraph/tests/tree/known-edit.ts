/**
 * Batches of edits on known values.
 *
 * The batch is played on a copy in which every list remembers where its elements come from; then old and new are laid
 * together place by place. Elements that left a list, by removal or by being set to another value, come back with their
 * writers where the batch puts in, or sets, an equal one: in order of occurrence.
 */
import type { Stored } from '../../src/core/index.ts'
import type { Edit } from '../../src/tree/index.ts'
import { isEqual, isList, type Known, knownOf, laidOver, newlyKnown, textOfKnown } from './known.ts'
import { editedPlain, isIndex, plainOf, storedOf } from './plain.ts'

/** A place during a batch. What was set whole is a plain value from then on. */
type Live =
  | { kind: 'set'; value: Stored }
  | { kind: 'leaf' }
  | { kind: 'map'; children: Map<string, Live | undefined> }
  | { kind: 'list'; cells: Cell[] }
interface Cell {
  /** The index among the old elements, or -1. */
  readonly from: number
  live: Live
}

export function editedKnown(old: Known, edits: readonly Edit[], seq: number): Known {
  let live: Live | undefined = liveOf(old)
  for (const edit of edits) live = played(live, edit, 0)
  return settled(live!, old, seq)!
}

function liveOf({ part }: Known): Live {
  if (isList(part)) return { kind: 'list', cells: part.map((element, from) => ({ from, live: liveOf(element) })) }
  if (!(part instanceof Map)) return { kind: 'leaf' }
  const children = part as ReadonlyMap<string, Known>
  return { kind: 'map', children: new Map([...children].map(([key, child]) => [key, liveOf(child)])) }
}

/** The place after one edit, which is known to be possible. */
function played(live: Live | undefined, edit: Edit, depth: number): Live | undefined {
  if (edit.path.length === depth) return edit.op === 'delete' ? undefined : { kind: 'set', value: edit.value }
  if (live === undefined || live.kind === 'set') {
    const below = { ...edit, path: edit.path.slice(depth) }
    const next = live === undefined ? editedPlainFromNothing(below) : editedPlain(plainOf(live.value), below)
    return next === undefined ? undefined : { kind: 'set', value: storedOf(next) }
  }
  const segment = edit.path[depth]!
  const isLast = edit.path.length === depth + 1
  if (live.kind === 'map') {
    live.children.set(segment, played(live.children.get(segment), edit, depth + 1))
  } else if (live.kind === 'list') {
    const { cells } = live
    const index = segment === '-' ? cells.length : Number(segment)
    if (isLast && edit.op !== 'delete' && (edit.op === 'insert' || segment === '-')) {
      cells.splice(index, 0, { from: -1, live: { kind: 'set', value: edit.value } })
    } else if (isIndex(segment) && index < cells.length) {
      if (isLast && edit.op === 'delete') cells.splice(index, 1)
      else cells[index]!.live = played(cells[index]!.live, edit, depth + 1)!
    }
  }
  return live
}

function editedPlainFromNothing(edit: Edit): ReturnType<typeof plainOf> | undefined {
  return edit.op === 'delete' ? undefined : editedPlain(edit.path[0] === '-' ? [] : new Map(), edit)
}

/** What became of a place, with writers. */
function settled(live: Live | undefined, old: Known | undefined, seq: number): Known | undefined {
  if (live === undefined) return undefined
  if (live.kind === 'leaf') return old
  if (live.kind === 'set') return laidOver(old, newlyKnown(live.value, seq))
  const now: Known =
    live.kind === 'list'
      ? { writer: seq, part: settledCells(live.cells, old!.part as readonly Known[], seq) }
      : { writer: seq, part: settledChildren(live.children, old!.part as ReadonlyMap<string, Known>, seq) }
  return isEqual(old, now) ? old : now
}

function settledChildren(
  children: ReadonlyMap<string, Live | undefined>,
  old: ReadonlyMap<string, Known>,
  seq: number,
): Map<string, Known> {
  const now = new Map<string, Known>()
  for (const [key, live] of children) {
    const known = settled(live, old.get(key), seq)
    if (known !== undefined) now.set(key, known)
  }
  return now
}

function settledCells(cells: readonly Cell[], old: readonly Known[], seq: number): Known[] {
  const setTo = ({ live }: Cell): Known | undefined =>
    live.kind === 'set' ? knownOf(plainOf(live.value), seq) : undefined
  const stays = old.map((element, from) => {
    const cell = cells.find(one => one.from === from)
    if (cell === undefined) return false
    const value = setTo(cell)
    return value === undefined || isEqual(value, element)
  })
  const gone = old.filter((_, from) => !stays[from])
  return cells.map(cell => {
    const value = setTo(cell)
    const before = old[cell.from]
    if (value === undefined) return settled(cell.live, before, seq)!
    if (before !== undefined && stays[cell.from]) return before
    const again = gone.findIndex(element => textOfKnown(element) === textOfKnown(value))
    return again >= 0 ? gone.splice(again, 1)[0]! : laidOver(before, value)
  })
}
