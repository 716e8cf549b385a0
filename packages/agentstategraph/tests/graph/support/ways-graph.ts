/**
 * Random graphs in which every kind of way leads anywhere: static edges, routes, Commands, Sends, declared or not, in
 * loops, fan-outs in fan-outs and graphs in graphs.
 *
 * What a node does is a function of the log that it sees, so a model can do the same. Every line of the log holds a digest of
 * what its node saw: equal logs mean equal runs on equal states.
 */

import fc from 'fast-check'
import type { CompiledGraph, GraphTypes } from '../../../src/graph/model/graph-types.ts'
import { Command, END, Send, START } from '../../../src/graph/model/targets.ts'
import { graphOf } from './told-graph.ts'

/** One way that a node may choose: to a node, or so many Sends to it. */
export interface Way {
  readonly to: number
  readonly sends: number
}

export interface WaysNode {
  /** Static edges, always to later nodes. */
  readonly edges: readonly number[]
  /** How it chooses; `static`: it does not. */
  readonly kind: 'static' | 'route' | 'command'
  readonly isDeclared: boolean
  /** What it chooses at its first visit, its second, and so on; none is the end. */
  readonly answers: readonly (readonly Way[])[]
  readonly isDeferred: boolean
  /** The graph that is this node. */
  readonly inner: WaysGraph | undefined
}

export interface WaysGraph {
  /** Begins the names of its nodes. */
  readonly prefix: string
  readonly entries: readonly number[]
  readonly nodes: readonly WaysNode[]
}

export interface WaysOptions {
  /** Ways lead to later nodes only, without Sends. */
  readonly isAcyclic: boolean
  /** Commands may name targets that nobody declared. */
  readonly hasUndeclaredCommands: boolean
}

/** Longer logs choose one way, and still longer ones the end: so every run ends. */
const FAN_OUTS_UNTIL = 4
const CHOICES_UNTIL = 10

export function waysGraphs(options: WaysOptions, prefix = 'n'): fc.Arbitrary<WaysGraph> {
  return fc.integer({ min: 3, max: prefix === 'n' ? 7 : 4 }).chain(count =>
    fc.record({
      prefix: fc.constant(prefix),
      entries: fc.uniqueArray(fc.nat({ max: Math.min(2, count - 1) }), { minLength: 1, maxLength: 3 }),
      nodes: fc.tuple(...Array.from({ length: count }, (_, index) => nodes(options, count, index, prefix))),
    }),
  )
}

function nodes(options: WaysOptions, count: number, index: number, prefix: string): fc.Arbitrary<WaysNode> {
  const isLast = index === count - 1
  const later = fc.integer({ min: Math.min(index + 1, count - 1), max: count - 1 })
  const to = options.isAcyclic ? later : fc.oneof(later, fc.nat({ max: count - 1 }))
  const sends = options.isAcyclic
    ? fc.constant(0)
    : fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 2 }))
  const answer = fc.uniqueArray(fc.record({ to, sends }), { maxLength: 3, selector: way => way.to })
  const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true))
  const isEnd = isLast && options.isAcyclic
  return fc
    .record({
      edges: isLast ? fc.constant([]) : fc.uniqueArray(later, { maxLength: 2 }),
      kind: isEnd ? fc.constant('static' as const) : fc.constantFrom('static', 'route', 'command'),
      isDeclared: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
      answers: fc.array(answer, { minLength: 1, maxLength: 3 }),
      isDeferred: options.isAcyclic ? fc.constant(false) : rarely,
      inner:
        prefix === 'n' && !options.isAcyclic
          ? fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, waysGraphs(options, `i${index}-`))
          : fc.constant(undefined),
    })
    .map(node => (options.hasUndeclaredCommands || node.kind !== 'command' ? node : { ...node, isDeclared: true }))
}

/** The line that a visit adds to the log. */
export function lineOf(name: string, log: readonly string[], item: number | undefined): string {
  return `${name}${item === undefined ? '' : `+${item}`}@${log.length}#${digest(log.join())}`
}

function digest(text: string): string {
  let hash = 5381
  for (const char of text) hash = (hash * 33 + char.charCodeAt(0)) % 1_000_003
  return hash.toString(36)
}

/** What a node chooses when its own line is at the end of the log. */
export function choiceOf({ prefix, nodes }: WaysGraph, index: number, log: readonly string[]): readonly Way[] {
  const { answers } = nodes[index]!
  const visits = log.filter(line => /^[^@+]*/.exec(line)![0] === `${prefix}${index}`).length
  if (log.length > CHOICES_UNTIL) return []
  const chosen = answers[(visits + log.length) % answers.length]!
  return log.length > FAN_OUTS_UNTIL ? chosen.slice(0, 1).map(({ to }) => ({ to, sends: 0 })) : chosen
}

/** The nodes that a node says it may choose; undefined when it does not say. */
export function declaredBy({ kind, isDeclared, answers }: WaysNode): readonly number[] | undefined {
  if (kind === 'static') return []
  if (!isDeclared) return kind === 'route' ? undefined : []
  return [...new Set(answers.flat().map(({ to }) => to))]
}

interface LogState {
  readonly log: readonly string[]
  readonly item?: number
}

export interface Watching {
  /** Called by every node before it ends. */
  turn(): Promise<void>
  saw?(name: string, log: readonly string[]): void
  /** Called when a node chooses a way. */
  led?(from: string, to: string): void
}

export function waysAppOf(graph: WaysGraph, watching: Watching): CompiledGraph<GraphTypes> {
  const { prefix, nodes, entries } = graph
  const nameOf = (index: number): string => `${prefix}${index}`
  const told = graphOf<LogState>({ state: { log: [] }, reducers: { log: 'append' } })
  const chosenBy = (index: number, log: readonly string[]): (string | Send)[] =>
    choiceOf(graph, index, log).flatMap(({ to, sends }): readonly (string | Send)[] => {
      watching.led?.(nameOf(index), nameOf(to))
      return sends === 0 ? [nameOf(to)] : Array.from({ length: sends }, (_, item) => new Send(nameOf(to), { item }))
    })
  for (const [index, node] of nodes.entries()) {
    const name = nameOf(index)
    const options = { defer: node.isDeferred }
    const goto = node.kind === 'command' ? { goto: (declaredBy(node) ?? []).map(nameOf) } : {}
    const visit = async ({ log, item }: LogState): Promise<unknown> => {
      watching.saw?.(name, log)
      await watching.turn()
      const update = { log: [lineOf(name, log, item)] }
      if (node.kind !== 'command') return update
      return new Command({ update, goto: chosenBy(index, [...log, ...update.log]) })
    }
    if (node.inner !== undefined) told.addNode(name, waysAppOf(node.inner, watching), options)
    else told.addNode<LogState>(name, visit, { ...options, ...goto })
    for (const to of node.edges) told.addEdge(name, nameOf(to))
    if (node.kind === 'route') {
      const answer = (s: LogState): unknown => {
        const chosen = chosenBy(index, s.log)
        return chosen.length === 0 ? END : chosen
      }
      told.addConditionalEdges(name, answer, declaredBy(node)?.map(nameOf))
    }
  }
  // All nodes are declared here, so that none counts as unreachable.
  const all = nodes.map((_, index) => nameOf(index))
  return told.addConditionalEdges(START, () => entries.map(nameOf), all).compile()
}
