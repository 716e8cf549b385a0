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
  readonly isNode: boolean
  match?: Piece
}

export function originsOf(a: Compared, b: Compared): Origins {
  const [before, after] = piecesOf(a, b)
  const isEqual = (x: Piece, y: Piece): boolean => !x.isNode && !y.isNode && a.texts[x.from] === b.texts[y.from]
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

/** From the highest level down, nodes of both lists are set aside, the first with the first. */
function piecesOf(a: Compared, b: Compared): [Piece[], Piece[]] {
  const aside: [NodeRange, NodeRange][] = []
  const isFree = (node: NodeRange, side: 0 | 1): boolean =>
    !aside.some(pair => pair[side].from <= node.from && node.to <= pair[side].to)
  for (let level = Math.max(0, ...a.nodes.map(node => node.level)); level >= 0; level--) {
    for (const y of b.nodes.filter(node => node.level === level)) {
      const x = a.nodes.find(node => node.level === level && node.id === y.id && isFree(node, 0))
      if (x !== undefined && isFree(y, 1)) aside.push([x, y])
    }
  }
  const pieces = ([0, 1] as const).map(side => {
    const nodes = aside.map(pair => pair[side])
    const all: Piece[] = nodes.map(({ from, to }) => ({ from, size: to - from, isNode: true }))
    const { texts } = side === 0 ? a : b
    texts.forEach((_, n) => {
      if (!nodes.some(({ from, to }) => from <= n && n < to)) all.push({ from: n, size: 1, isNode: false })
    })
    return all
  })
  aside.forEach((_, n) => {
    match(pieces[0]![n]!, pieces[1]![n]!)
  })
  const inOrder = (all: Piece[]): Piece[] => all.sort((x, y) => x.from - y.from)
  return [inOrder(pieces[0]!), inOrder(pieces[1]!)]
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
