/**
 * Lanes of a commit graph, row by row from the newest commit.
 *
 * A lane is the line that waits for a parent. A row depends on the rows above it alone, so that pages can be added below.
 */
interface Linked {
  readonly id: string
  readonly parents: readonly string[]
}

/** What is drawn in the row of one commit. */
export interface LaneRow {
  /** The lane of the commit. */
  readonly lane: number
  /** Lanes that come from above and end in the commit. */
  readonly ending: readonly number[]
  /** Lanes that pass by. */
  readonly passing: readonly number[]
  /** Lanes that go down to parents. */
  readonly leaving: readonly number[]
}

/** Lays out commits in the order given. `waiting` is what the rows before left, and is changed. */
export function layLanes(commits: readonly Linked[], waiting: (string | undefined)[]): LaneRow[] {
  return commits.map(({ id, parents }) => {
    const ending = lanesOf(waiting, id)
    const lane = ending[0] ?? freeLane(waiting)
    for (const at of ending) waiting[at] = undefined
    const passing = waiting.flatMap((parent, at) => (parent === undefined ? [] : [at]))
    const leaving = parents.map((parent, nth) => {
      const known = waiting.indexOf(parent)
      if (known >= 0) return known
      const own = nth === 0 && waiting[lane] === undefined ? lane : freeLane(waiting)
      waiting[own] = parent
      return own
    })
    while (waiting.length > 0 && waiting.at(-1) === undefined) waiting.pop()
    return { lane, ending, passing, leaving }
  })
}

function lanesOf(waiting: readonly (string | undefined)[], id: string): number[] {
  return waiting.flatMap((parent, at) => (parent === id ? [at] : []))
}

function freeLane(waiting: readonly (string | undefined)[]): number {
  const free = waiting.indexOf(undefined)
  return free < 0 ? waiting.length : free
}
