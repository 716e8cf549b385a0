/**
 * The rules of fan-outs and joins in docs/design/graph.md, word by word and slowly: nothing is remembered, nothing runs side
 * by side, and every question about ways is a search.
 */

import { choiceOf, declaredBy, lineOf, type WaysGraph, type WaysNode } from './ways-graph.ts'

/** A token's way on: a node, by an edge or as a Send. */
interface Token {
  readonly node: number
  readonly item?: number
  readonly trail?: Trail
}

/** Rule 8: what a token has to know of branches that did not lead to it. */
interface Trail {
  /** The nodes that ran in them, with the node that opened their group. */
  readonly beside: ReadonlyMap<number, number | undefined>
  /** Whether an undeclared way led here. */
  readonly isStray: boolean
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
  readonly at: readonly Token[]
}

/** A branch of a group that has closed. */
interface End extends Closed {
  readonly own: Token
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
      tokens = tokensAfter(graph, only.node, [...before, ...lines]).map(to => withTrail(graph, branch, only, to))
      from = only.node
      areJoins = false
      const [next, another] = tokens
      if (next !== undefined && another === undefined && next.item === undefined && waitsAt(graph, branch, next.node)) {
        return { lines, entered, at: [next] }
      }
      continue
    }
    const waiting = waitingAmong(graph, branch, tokens, from, areJoins)
    const ends = tokens.map((own): End => {
      if (waiting.has(own)) return { own, lines: [], entered: [], at: [own] }
      const inside = { starts: tokens, own, around: branch }
      const { lines, entered, at } = runBranch(graph, inside, log, [own], from, true, budget)
      return { own, lines, entered: own.item === undefined ? [own.node, ...entered] : entered, at }
    })
    lines.push(...ends.flatMap(end => end.lines))
    entered.push(...ends.flatMap(end => end.entered))
    const reached = [...new Set(ends.flatMap(end => end.at.map(({ node }) => node)))].sort((a, b) => a - b)
    const joins = new Map(reached.map(node => [node, joinToken(graph, branch, from, ends, node)]))
    const left = leftAround(graph, branch, reached)
    if (left.size === reached.length) return { lines, entered, at: [...joins.values()] }
    tokens = [...reached.filter(node => !left.has(node)), ...left].map(node => joins.get(node)!)
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

/** The trail of a token that goes from a node to another. */
function withTrail(graph: WaysGraph, branch: Branch | undefined, from: Token, to: Token): Token {
  const isStray =
    from.trail?.isStray === true || (from.node !== to.node && !waysFrom(graph, from.node).includes(to.node))
  return enter(branch, to, { beside: from.trail?.beside ?? new Map(), isStray })
}

/** A token with its trail, unless it would run a node again that ran beside it. Outside all groups, ways that strayed from nothing do not count. */
function enter(branch: Branch | undefined, token: Token, { beside, isStray }: Trail): Token {
  const left = new Map([...beside].filter(([, opener]) => opener !== token.node))
  if (isStray && token.item === undefined && left.has(token.node)) throw new Undeclared()
  return branch === undefined && left.size === 0 ? token : { ...token, trail: { beside: left, isStray } }
}

/** The token that enters a join, after all branches that came there. */
function joinToken(
  graph: WaysGraph,
  around: Branch | undefined,
  opener: number | undefined,
  ends: readonly End[],
  node: number,
): Token {
  const starts = ends.map(({ own }) => own)
  const arrivals = ends.flatMap(end => end.at.filter(at => at.node === node).map(at => ({ end, trail: at.trail })))
  const isStray = ({ end, trail }: (typeof arrivals)[number]): boolean =>
    trail?.isStray === true || !isDeclared(graph, { starts, own: end.own, around }, node)
  for (const arrival of arrivals) {
    const hasRun = ends.some(other => other !== arrival.end && other.entered.includes(node))
    if (hasRun && isStray(arrival)) throw new Undeclared()
  }
  const isApart = (end: End): boolean => end.at.every(at => at.node !== node)
  const hasMet = (one: number): boolean =>
    arrivals.some(({ end, trail }) => end.entered.includes(one) && trail?.beside.has(one) !== true)
  const isBefore = (one: number): boolean => starts.some(({ trail }) => trail?.beside.has(one))
  const ledToSome = (one: number): boolean => arrivals.some(({ end }) => end.own.trail?.beside.has(one) !== true)
  const inherited = arrivals
    .flatMap(({ trail }) => [...(trail?.beside ?? [])])
    .filter(([one]) => !isBefore(one) || !ledToSome(one))
  const apart = ends.filter(isApart).flatMap(end => end.entered.map(one => [one, opener] as const))
  const beside = new Map([...inherited, ...apart].filter(([one]) => !hasMet(one)))
  return enter(around, { node }, { beside, isStray: arrivals.some(isStray) })
}
