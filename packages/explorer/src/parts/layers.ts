/**
 * Lays out a small directed graph from left to right: each node in the column behind its farthest predecessor.
 *
 * Edges that close a circle are left out of the count, so that a loop does not push its own beginning.
 */
export interface Placed {
  readonly name: string
  readonly column: number
  readonly row: number
}

interface Edge {
  readonly from: string
  readonly to: string
}

export function layLayers(names: readonly string[], edges: readonly Edge[]): readonly Placed[] {
  const columns = new Map<string, number>()
  const open = new Set<string>()
  const columnOf = (name: string): number => {
    const known = columns.get(name)
    if (known !== undefined) return known
    open.add(name)
    const before = edges.filter(({ from, to }) => to === name && from !== name && !open.has(from))
    const column = before.reduce((most, { from }) => Math.max(most, columnOf(from) + 1), 0)
    open.delete(name)
    columns.set(name, column)
    return column
  }
  const rows = new Map<number, number>()
  return names.map(name => {
    const column = columnOf(name)
    const row = rows.get(column) ?? 0
    rows.set(column, row + 1)
    return { name, column, row }
  })
}
