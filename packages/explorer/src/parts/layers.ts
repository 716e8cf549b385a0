/**
 * Lays out a small directed graph from left to right: each node in the column behind its farthest predecessor, and a row for each
 * edge to pass the columns between its ends, so that no edge is hidden behind a node.
 *
 * Edges that close a circle do not count, so that a loop does not push its own beginning.
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

export function layLayers(names: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, Placed> {
  const forward = withoutCircles(names, edges)
  const columns = new Map<string, number>()
  const columnOf = (name: string): number => {
    const known = columns.get(name)
    if (known !== undefined) return known
    const before = forward.filter(({ to }) => to === name)
    const column = before.reduce((most, { from }) => Math.max(most, columnOf(from) + 1), 0)
    columns.set(name, column)
    return column
  }
  const rows = new Map<number, number>()
  return new Map(
    names.map(name => {
      const column = columnOf(name)
      const row = rows.get(column) ?? 0
      rows.set(column, row + 1)
      return [name, { name, column, row }]
    }),
  )
}

/** Follows the edges from the nodes that none leads to, and leaves out those that come back to a node on the way. */
function withoutCircles(names: readonly string[], edges: readonly Edge[]): readonly Edge[] {
  const led = new Set(edges.map(({ to }) => to))
  const onWay = new Set<string>()
  const done = new Set<string>()
  const kept: Edge[] = []
  const follow = (name: string): void => {
    if (done.has(name)) return
    onWay.add(name)
    for (const edge of edges) {
      if (edge.from !== name || onWay.has(edge.to)) continue
      kept.push(edge)
      follow(edge.to)
    }
    onWay.delete(name)
    done.add(name)
  }
  for (const name of names) if (!led.has(name)) follow(name)
  for (const name of names) follow(name)
  return kept
}

/** The row of each edge that goes over more than one column; undefined for the others. Edges to one node may share a row. */
export function layPassages(
  placed: ReadonlyMap<string, Placed>,
  edges: readonly Edge[],
): readonly (number | undefined)[] {
  const taken = new Map<string, string>()
  for (const { name, column, row } of placed.values()) taken.set(`${column} ${row}`, name)
  return edges.map(edge => {
    const from = placed.get(edge.from)
    const to = placed.get(edge.to)
    if (from === undefined || to === undefined || to.column - from.column < 2) return undefined
    const between = Array.from({ length: to.column - from.column - 1 }, (_, nth) => from.column + 1 + nth)
    const isFree = (row: number): boolean =>
      between.every(column => [undefined, `→ ${to.name}`].includes(taken.get(`${column} ${row}`)))
    // Of as many rows as there are cells taken, one more than that is free.
    const rows = Array.from({ length: taken.size + 1 }, (_, row) => row).filter(isFree)
    const distance = (row: number): number => Math.abs(row - from.row) + Math.abs(row - to.row)
    const passage = rows.reduce((best, row) => (distance(row) < distance(best) ? row : best))
    for (const column of between) taken.set(`${column} ${passage}`, `→ ${to.name}`)
    return passage
  })
}
