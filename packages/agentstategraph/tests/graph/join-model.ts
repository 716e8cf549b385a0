/**
 * The rules of fan-outs and joins in docs/design/graph.md, word by word and slowly: nothing is remembered, nothing runs side
 * by side, and every question about ways is a search.
 */

import { choiceOf, declaredBy, lineOf, type WaysGraph, type WaysNode } from './ways-graph.ts'

/** A token's way on: a node, by an edge or as a Send. */
interface Token {
  readonly node: number
  readonly item?: number
}

/** A branch, as those inside it see it: how all branches of its group began, and which of them it is. */
interface Branch {
  readonly starts: readonly Token[]
  readonly own: Token
  readonly around: Branch | undefined
}

interface Closed {
  readonly lines: readonly string[]
  /** The nodes that it came to by edges. */
  readonly entered: readonly number[]
  readonly at: readonly number[]
}

export class Undeclared extends Error {}
export class TooLong extends Error {}

/** The log after a run. Throws `Undeclared` where the engine refuses, and `TooLong` for runs that no test needs. */
export function modelLog(graph: WaysGraph, before: readonly string[] = [], budget = { left: 300 }): readonly string[] {
  const tokens = byOrder(graph.entries.map(node => ({ node })))
  return [...before, ...runBranch(graph, undefined, before, tokens, undefined, false, budget).lines]
}

function runBranch(
  graph: WaysGraph,
  branch: Branch | undefined,
  before: readonly string[],
  first: readonly Token[],
  opener: number | undefined,
  isStart: boolean,
  budget: { left: number },
): Closed {
  const lines: string[] = []
  const entered: number[] = []
  let tokens = first
  let from = opener
  let areJoins = false
  for (let isFirst = isStart; tokens.length > 0; isFirst = false) {
    const log = [...before, ...lines]
    const only = tokens.length === 1 && (isFirst || tokens[0]!.item === undefined) ? tokens[0]! : undefined
    if (only !== undefined) {
      lines.push(...visit(graph, only, log, budget))
      if (!isFirst) entered.push(only.node)
      tokens = tokensAfter(graph, only.node, [...before, ...lines])
      from = only.node
      areJoins = false
      const [next, another] = tokens
      if (next !== undefined && another === undefined && next.item === undefined && waitsAt(graph, branch, next.node)) {
        return { lines, entered, at: [next.node] }
      }
      continue
    }
    const waiting = waitingAmong(graph, branch, tokens, from, areJoins)
    const ends = tokens.map((own): Closed & { readonly own: Token } => {
      if (waiting.has(own)) return { own, lines: [], entered: [], at: [own.node] }
      const inside = { starts: tokens, own, around: branch }
      return { own, ...runBranch(graph, inside, log, [own], from, true, budget) }
    })
    for (const end of ends) refuseUndeclared(graph, branch, tokens, end, ends)
    lines.push(...ends.flatMap(end => end.lines))
    entered.push(...tokens.filter(token => token.item === undefined && !waiting.has(token)).map(({ node }) => node))
    entered.push(...ends.flatMap(end => end.entered))
    const reached = [...new Set(ends.flatMap(end => end.at))].sort((a, b) => a - b)
    const left = leftAround(graph, branch, reached)
    if (left.size === reached.length) return { lines, entered, at: reached }
    tokens = [...reached.filter(node => !left.has(node)), ...left].map(node => ({ node }))
    areJoins = true
  }
  return { lines, entered, at: [] }
}

function visit(
  graph: WaysGraph,
  { node, item }: Token,
  log: readonly string[],
  budget: { left: number },
): readonly string[] {
  if (budget.left-- === 0) throw new TooLong()
  const { inner } = graph.nodes[node]!
  if (inner !== undefined) return modelLog(inner, log, budget).slice(log.length)
  return [lineOf(`${graph.prefix}${node}`, log, item)]
}

function tokensAfter(graph: WaysGraph, node: number, log: readonly string[]): readonly Token[] {
  const { kind, edges, inner } = graph.nodes[node]!
  const isCommand = kind === 'command' && inner === undefined
  const chosen = kind === 'route' || isCommand ? choiceOf(graph, node, log) : []
  const ways = isCommand ? chosen : [...edges.map(to => ({ to, sends: 0 })), ...chosen]
  const tokens = ways.flatMap(({ to, sends }): Token[] =>
    sends === 0 ? [{ node: to }] : Array.from({ length: sends }, (_, item) => ({ node: to, item })),
  )
  const isFirstOf = (token: Token, place: number): boolean =>
    token.item !== undefined || tokens.findIndex(one => one.node === token.node && one.item === undefined) === place
  return byOrder(tokens.filter(isFirstOf))
}

function byOrder(tokens: readonly Token[]): readonly Token[] {
  return [...tokens].sort((a, b) => a.node - b.node)
}

/** Rule 4: a token waits where another branch may come, where no declared way led, and at deferred nodes. */
function waitsAt(graph: WaysGraph, branch: Branch | undefined, node: number): boolean {
  if (branch === undefined) return false
  return graph.nodes[node]!.isDeferred || isShared(graph, branch, node) || !isDeclared(graph, branch, node)
}

function isShared(graph: WaysGraph, branch: Branch | undefined, node: number): boolean {
  if (branch === undefined) return false
  const { starts, own, around } = branch
  const without = [own.node, ...meetingsAfter(graph, starts, node)]
  return othersOf(starts, own).some(other => comesTo(graph, other, node, without)) || isShared(graph, around, node)
}

/** One Send counts as several. */
function othersOf(starts: readonly Token[], own: Token): readonly number[] {
  const others = starts.filter(other => other !== own).map(({ node }) => node)
  return own.item === undefined ? others : [...others, own.node]
}

/** Nodes after one at which every branch that may come there finds that another leads there by ways forward. */
function meetingsAfter(graph: WaysGraph, starts: readonly Token[], node: number): readonly number[] {
  const ranks = ranksOf(graph)
  const known = knownPart(graph)
  const forward = (from: number): readonly number[] =>
    waysFrom(known, from).filter(to => ranks.indexOf(to) > ranks.indexOf(from))
  const isMeeting = (one: number): boolean =>
    starts.every(
      own =>
        !comesTo(graph, own.node, one, []) ||
        othersOf(starts, own).some(other => comesTo(graph, other, one, [own.node], undefined, forward)),
    )
  return [...graph.nodes.keys()].filter(one => ranks.indexOf(one) > ranks.indexOf(node) && isMeeting(one))
}

function isDeclared(graph: WaysGraph, branch: Branch | undefined, node: number): boolean {
  if (branch === undefined) return true
  return comesTo(graph, branch.own.node, node, []) && isDeclared(graph, branch.around, node)
}

/** Whether a way leads from one node to another, or is both, without entering some. */
function comesTo(
  graph: WaysGraph,
  from: number,
  to: number,
  without: readonly number[],
  stop?: number,
  ways = (node: number): readonly number[] => waysFrom(graph, node),
): boolean {
  if (from === to && !without.includes(to)) return true
  const seen = new Set<number>()
  const search = (node: number): boolean =>
    node !== stop &&
    ways(node).some(next => {
      if (without.includes(next) || seen.has(next)) return false
      seen.add(next)
      return next === to || search(next)
    })
  return search(from)
}

function waysFrom(graph: WaysGraph, node: number): readonly number[] {
  const one = graph.nodes[node]!
  const declared = one.inner !== undefined && one.kind === 'command' ? [] : declaredBy(one)
  return declared === undefined ? [...graph.nodes.keys()] : [...one.edges, ...declared]
}

/** Rule 5: what a group leaves to those around it. */
function leftAround(graph: WaysGraph, branch: Branch | undefined, reached: readonly number[]): ReadonlySet<number> {
  const undeclared = reached.filter(node => !isDeclared(graph, branch, node))
  const isBehind = (node: number): boolean => undeclared.some(other => comesTo(graph, other, node, []))
  return new Set(reached.filter(node => waitsAt(graph, branch, node) || isBehind(node)))
}

/** Rules 2 and 6: which of the starts wait. */
function waitingAmong(
  graph: WaysGraph,
  branch: Branch | undefined,
  tokens: readonly Token[],
  from: number | undefined,
  areJoins: boolean,
): ReadonlySet<Token> {
  const plain = tokens.filter(({ item }) => item === undefined)
  const left = leftAround(
    graph,
    branch,
    plain.map(({ node }) => node),
  )
  const inside = plain.filter(({ node }) => !left.has(node))
  const prompt = inside.filter(({ node }) => !graph.nodes[node]!.isDeferred)
  const able = prompt.length === 0 && plain.length === tokens.length ? inside : prompt
  const others = [...able, ...tokens.filter(({ item }) => item !== undefined)].map(({ node }) => node)
  const stop = from === undefined || others.includes(from) ? undefined : from
  const all = [...graph.nodes.keys()]
  const ranks = ranksOf(graph)
  const known = knownPart(graph)
  const isAfter = (node: number, other: number): boolean => {
    const after = all.filter(one => one !== node && comesTo(graph, node, one, [node], stop))
    const meetings = meetingsAfter(graph, tokens, node)
    if (!after.includes(other)) return comesTo(graph, other, node, [...after, ...meetings], stop)
    if (!comesTo(graph, other, node, meetings, stop)) return false
    if (!areJoins && comesTo(known, other, node, [], stop) && comesTo(known, node, other, [], stop)) return false
    return ranks.indexOf(other) < ranks.indexOf(node)
  }
  const isLater = ({ node }: Token): boolean => others.some(other => other !== node && isAfter(node, other))
  return new Set(plain.filter(token => !able.includes(token) || isLater(token)))
}

/** The graph without the routes that do not say where they lead. */
function knownPart(graph: WaysGraph): WaysGraph {
  const isOpen = (node: WaysNode): boolean => declaredBy(node) === undefined
  return { ...graph, nodes: graph.nodes.map(node => (isOpen(node) ? { ...node, kind: 'static' } : node)) }
}

/** The nodes in the order of rule 6. */
function ranksOf(graph: WaysGraph): readonly number[] {
  const all = [...graph.nodes.keys()]
  const known = knownPart(graph)
  const forward = new Map(all.map(node => [node, new Set<number>()]))
  const begun = new Set<number>()
  const walk = (node: number, path: readonly number[]): void => {
    begun.add(node)
    for (const to of waysFrom(known, node)) {
      if (to === node || path.includes(to)) continue
      forward.get(node)!.add(to)
      if (!begun.has(to)) walk(to, [...path, node])
    }
  }
  for (const node of all) if (!begun.has(node)) walk(node, [])
  const ranks: number[] = []
  while (ranks.length < all.length) {
    const isReady = (node: number): boolean =>
      !ranks.includes(node) && all.every(other => ranks.includes(other) || !forward.get(other)!.has(node))
    ranks.push(all.find(isReady)!)
  }
  return ranks
}

function refuseUndeclared(
  graph: WaysGraph,
  around: Branch | undefined,
  starts: readonly Token[],
  end: Closed & { readonly own: Token },
  ends: readonly Closed[],
): void {
  const branch = { starts, own: end.own, around }
  for (const node of end.at) {
    const hasRun = ends.some(other => other !== end && other.entered.includes(node))
    if (hasRun && !isDeclared(graph, branch, node)) throw new Undeclared()
  }
}
