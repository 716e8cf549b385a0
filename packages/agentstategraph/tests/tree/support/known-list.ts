/**
 * Which element of a list is which element of an older one, the simplest way: the steps of docs/format.md, under
 * "Writers", on arrays of texts. Knows no trees; which ranges of a list are nodes is handed in.
 */

/** A node below the root of a list: the range of elements below it. */
export interface NodeRange {
  readonly level: number
  readonly id: string
  readonly from: number
  readonly to: number
}

/** A list as it is compared. */
export interface Compared {
  readonly texts: readonly string[]
  readonly nodes: readonly NodeRange[]
  /** How many fields two elements share, if both are maps. */
  readonly sharedFields: (mine: number, theirs: number) => number
}

export interface Origins {
  /** For each element of `b`, the equal element of `a`, or undefined. */
  readonly same: readonly (number | undefined)[]
  /** For each element of `b`, the element of `a` that was changed into it, or undefined. */
  readonly changedFrom: readonly (number | undefined)[]
  readonly hasMoved: readonly boolean[]
  readonly removed: readonly number[]
}

interface Piece {
  readonly from: number
  readonly size: number
  /** The id of a node, or the text of an element. */
  readonly content: string
  readonly isNode: boolean
  match?: Piece
}

export function originsOf(a: Compared, b: Compared): Origins {
  const [before, after] = piecesOf(a, b)
  const isEqual = (x: Piece, y: Piece): boolean => x.isNode === y.isNode && x.content === y.content
  const { start, end } = endsOf(before, after, isEqual)
  for (let n = 0; n < start; n++) match(before[n]!, after[n]!)
  for (let n = 1; n <= end; n++) match(before.at(-n)!, after.at(-n)!)
  for (const y of after.filter(piece => piece.isNode && piece.match === undefined))
    match(before.find(x => x.match === undefined && isEqual(x, y))!, y)
  for (const [as, bs] of gaps(before, after)) {
    while (as.length > 0 && bs.length > 0 && isEqual(as[0]!, bs[0]!)) match(as.shift()!, bs.shift()!)
    while (as.length > 0 && bs.length > 0 && isEqual(as.at(-1)!, bs.at(-1)!)) match(as.pop()!, bs.pop()!)
    if (as.length !== bs.length) continue
    for (const [n, x] of as.entries()) if (isEqual(x, bs[n]!)) match(x, bs[n]!)
  }
  for (const y of after) {
    const x = y.match === undefined ? before.find(one => one.match === undefined && isEqual(one, y)) : undefined
    if (x !== undefined) match(x, y)
  }
  const changed = new Map<Piece, Piece>()
  const removed: number[] = []
  const kept = longestRun(after)
  for (const [as, bs] of gaps(before, after)) {
    const pairs = Math.min(as.length, bs.length)
    const alike = (fromA: number, fromB: number): number =>
      Array.from({ length: pairs }, (_, n) => b.sharedFields(bs[fromB + n]!.from, as[fromA + n]!.from)).reduce(
        (sum, n) => sum + n,
        0,
      )
    const isFromEnd = alike(as.length - pairs, bs.length - pairs) > alike(0, 0)
    const [skipA, skipB] = isFromEnd ? [as.length - pairs, bs.length - pairs] : [0, 0]
    as.forEach((x, n) => {
      if (n >= skipA && n < skipA + pairs) changed.set(bs[n - skipA + skipB]!, x)
      else removed.push(x.from)
    })
  }
  const each = <T>(give: (piece: Piece, n: number) => T): T[] =>
    after.flatMap(piece => Array.from({ length: piece.size }, (_, n) => give(piece, n)))
  return {
    same: each((piece, n) => (piece.match === undefined ? undefined : piece.match.from + n)),
    changedFrom: each(piece => changed.get(piece)?.from),
    hasMoved: each(piece => piece.match !== undefined && !kept.has(piece)),
    removed,
  }
}

function match(x: Piece, y: Piece): void {
  x.match = y
  y.match = x
}

/** How many are equal from the start, and how many of the others from the end. */
function endsOf<T>(
  as: readonly T[],
  bs: readonly T[],
  isEqual: (a: T, b: T) => boolean,
): { start: number; end: number } {
  const shorter = Math.min(as.length, bs.length)
  let start = 0
  while (start < shorter && isEqual(as[start]!, bs[start]!)) start++
  let end = 0
  while (end < shorter - start && isEqual(as.at(-1 - end)!, bs.at(-1 - end)!)) end++
  return { start, end }
}

/** From the highest level down, nodes that both lists have are set aside: at both ends, then the first with the first. */
function piecesOf(a: Compared, b: Compared): [Piece[], Piece[]] {
  const aside: [NodeRange[], NodeRange[]] = [[], []]
  for (let level = Math.max(0, ...a.nodes.map(node => node.level)); level >= 0; level--) {
    const [as, bs] = [a, b].map(({ nodes }, side) => {
      const isFree = (node: NodeRange): boolean =>
        !aside[side]!.some(({ from, to }) => from <= node.from && node.to <= to)
      const free = nodes.filter(node => node.level === level && isFree(node))
      return [...aside[side]!, ...free].sort((x, y) => x.from - y.from)
    }) as [NodeRange[], NodeRange[]]
    if (!bs.some(node => node.level === level)) continue
    const { start, end } = endsOf(as, bs, (x, y) => x.id === y.id)
    const ofLevel = (nodes: NodeRange[]): NodeRange[] => nodes.filter(node => node.level === level)
    const atEnds = (nodes: NodeRange[]): NodeRange[] =>
      ofLevel([...nodes.slice(0, start), ...nodes.slice(nodes.length - end)])
    const between = (nodes: NodeRange[]): NodeRange[] => ofLevel(nodes.slice(start, nodes.length - end))
    aside[0].push(...atEnds(as))
    aside[1].push(...atEnds(bs))
    const left = between(as)
    for (const y of between(bs)) {
      const at = left.findIndex(x => x.id === y.id)
      if (at < 0) continue
      aside[0].push(...left.splice(at, 1))
      aside[1].push(y)
    }
  }
  return [a, b].map(({ texts }, side) => {
    const nodes = aside[side]!
    const all: Piece[] = nodes.map(({ id, from, to }) => ({ from, size: to - from, content: id, isNode: true }))
    texts.forEach((text, n) => {
      if (!nodes.some(({ from, to }) => from <= n && n < to))
        all.push({ from: n, size: 1, content: text, isNode: false })
    })
    return all.sort((x, y) => x.from - y.from)
  }) as [Piece[], Piece[]]
}

/** What has no match, between each two pieces that stay in place. */
function gaps(before: readonly Piece[], after: readonly Piece[]): [Piece[], Piece[]][] {
  const run = longestRun(after)
  const kept = after.filter(piece => run.has(piece))
  const ends = [...kept.map(piece => [piece.match!.from, piece.from] as const), [Infinity, Infinity] as const]
  let [fromA, fromB] = [-1, -1]
  return ends.map(([toA, toB]) => {
    const gap: [Piece[], Piece[]] = [
      before.filter(x => x.match === undefined && x.from > fromA && x.from < toA),
      after.filter(y => y.match === undefined && y.from > fromB && y.from < toB),
    ]
    ;[fromA, fromB] = [toA, toB]
    return gap
  })
}

/** A longest run of matches in order on both sides: from its end, always the one that is first in the old list. */
function longestRun(after: readonly Piece[]): ReadonlySet<Piece> {
  const matched = after.filter(piece => piece.match !== undefined)
  const lengths = new Map<Piece, number>()
  matched.forEach((piece, n) => {
    const shorter = matched.slice(0, n).filter(one => one.match!.from < piece.match!.from)
    lengths.set(piece, 1 + Math.max(0, ...shorter.map(one => lengths.get(one)!)))
  })
  const run = new Set<Piece>()
  let among = matched
  for (let length = Math.max(0, ...lengths.values()); length > 0; length--) {
    const ending = among.filter(piece => lengths.get(piece) === length)
    const last = ending.reduce((first, piece) => (piece.match!.from < first.match!.from ? piece : first))
    run.add(last)
    among = matched.slice(0, matched.indexOf(last)).filter(piece => piece.match!.from < last.match!.from)
  }
  return run
}
