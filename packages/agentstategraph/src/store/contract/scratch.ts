/**
 * Tables for work that meets more rows than memory should hold, and reads few of them again.
 *
 * What was added last is in memory, the rest where a spill puts it. Without a spill, all of it stays in memory.
 */

/** Numbers by id. */
export interface ScratchIds {
  add(id: string, number: number): void
  /** The largest number of an id. */
  find(id: string): number | undefined
  /** The ids that begin with a prefix, with all their numbers, by number; at most `limit`. */
  startingWith(prefix: string, limit: number): readonly ScratchId[]
}

export interface ScratchId {
  readonly id: string
  readonly number: number
}

/** Rows in the order in which they were added, from 0 on. */
export interface ScratchRows<T> {
  readonly count: number
  add(row: T): void
  at(index: number): T
}

export interface Scratch {
  ids(): ScratchIds
  rows<T>(): ScratchRows<T>
  /** Gives back what the tables took. They cannot be read any more. */
  close(): void
}

/** Where the tables go that memory should not hold. */
export interface Spill {
  ids(): ScratchIds
  rows<T>(): Pick<ScratchRows<T>, 'add' | 'at'>
  close(): void
}

/** How much of each table stays in memory. */
export const KEPT_IDS = 4096
export const KEPT_ROWS = 64

/** `openSpill` is called when a table outgrows memory for the first time. */
export function scratchWith(openSpill: (() => Spill) | undefined): Scratch {
  let spill: Spill | undefined
  const spilled = (): Spill => {
    spill ??= openSpill!()
    return spill
  }
  const maxIds = openSpill === undefined ? Number.POSITIVE_INFINITY : KEPT_IDS
  const maxRows = openSpill === undefined ? Number.POSITIVE_INFINITY : KEPT_ROWS
  return {
    ids: () => idsIn(maxIds, () => spilled().ids()),
    rows: <T>() => rowsIn<T>(maxRows, () => spilled().rows<T>()),
    close() {
      spill?.close()
      spill = undefined
    },
  }
}

function idsIn(max: number, openTable: () => ScratchIds): ScratchIds {
  const kept = new Map<string, number[]>()
  let rest: ScratchIds | undefined
  /** What was found in the rest lately. */
  const read = new Map<string, number | undefined>()
  const moveOut = (): void => {
    rest ??= openTable()
    for (const [id, numbers] of kept) for (const number of numbers) rest.add(id, number)
    kept.clear()
    read.clear()
  }
  const findInRest = (id: string): number | undefined => {
    if (rest === undefined || read.has(id)) return read.get(id)
    if (read.size >= max) read.clear()
    const number = rest.find(id)
    read.set(id, number)
    return number
  }
  return {
    add(id, number) {
      const numbers = kept.get(id)
      if (numbers !== undefined) numbers.push(number)
      else kept.set(id, [number])
      if (kept.size > max) moveOut()
    },
    find(id) {
      const numbers = kept.get(id)
      const newest = numbers === undefined ? undefined : numbers.reduce((a, b) => Math.max(a, b))
      const older = findInRest(id)
      return older === undefined || (newest !== undefined && newest > older) ? newest : older
    },
    startingWith(prefix, limit) {
      const found = [...(rest?.startingWith(prefix, limit) ?? [])]
      for (const [id, numbers] of kept) {
        if (id.startsWith(prefix)) for (const number of numbers) found.push({ id, number })
      }
      return found.sort((a, b) => a.number - b.number).slice(0, limit)
    },
  }
}

function rowsIn<T>(max: number, openTable: () => Pick<ScratchRows<T>, 'add' | 'at'>): ScratchRows<T> {
  let kept: T[] = []
  let moved = 0
  let rest: Pick<ScratchRows<T>, 'add' | 'at'> | undefined
  return {
    get count() {
      return moved + kept.length
    },
    add(row) {
      kept.push(row)
      if (kept.length <= 2 * max) return
      rest ??= openTable()
      for (const one of kept.slice(0, max)) rest.add(one)
      kept = kept.slice(max)
      moved += max
    },
    at: index => (index < moved ? rest!.at(index) : kept[index - moved]!),
  }
}
