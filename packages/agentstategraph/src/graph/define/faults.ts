/** Finds all faults in the shape of a graph. What a route or a Command decides at run time is not checked. */

import { didYouMean, optionsOf, unknownNames } from '../../core/index.ts'
import type { GraphFault } from '../errors.ts'
import { findPlan } from '../model/compiled-plan.ts'
import { getOrAdd } from '../model/get-or-add.ts'
import { END, START } from '../model/targets.ts'
import type { DefinedGraph, DefinedNode, GraphDefinition, UncheckedOptions } from './definition.ts'
import { type Entry, findEntry, findUnreachable, type KnownWays } from './entry.ts'
import { optionFaults } from './option-faults.ts'

export interface Shape {
  readonly faults: readonly GraphFault[]
  readonly entry: Entry
}

export function checkShape(graph: DefinedGraph, options: UncheckedOptions): Shape {
  const names = new Set(graph.nodes.map(({ name }) => name))
  const ways = waysOf(graph, names)
  const entry = findEntry(ways)
  const named = [
    ...nodeFaults(graph.nodes),
    ...edgeFaults(graph, names),
    ...routeFaults(graph, names),
    ...gotoFaults(graph.nodes, names),
    ...interruptFaults(options, names),
    ...(graph.definition.defaults === undefined ? [] : optionFaults(graph.definition.defaults, undefined)),
    ...nameFaults(options.name),
    ...repoFaults(options.repo),
    ...unknownFaults('compile takes no', options, [...compileOptions.names.keys()]),
    ...unknownFaults('A graph is defined by no', graph.definition, [...definitionOptions.names.keys()]),
  ]
  return { faults: [...named, ...entryFaults(entry, ways)], entry }
}

function waysOf(graph: DefinedGraph, nodes: ReadonlySet<string>): KnownWays {
  const ways = new Map<string, Set<string>>()
  const open = new Set<string>()
  const lead = (from: string, to: string): void => {
    getOrAdd(ways, from, () => new Set<string>()).add(to)
  }
  for (const { from, to } of graph.edges) lead(from, to)
  for (const { from, targets } of graph.routes) {
    if (targets === undefined) open.add(from)
    else for (const to of targets.keys()) lead(from, to)
  }
  for (const { name, options } of graph.nodes) for (const to of options.goto ?? []) lead(name, to)
  return { nodes, ways, open }
}

function nodeFaults(nodes: readonly DefinedNode[]): readonly GraphFault[] {
  const seen = new Set<string>()
  return nodes.flatMap(({ name, node, options }) => {
    const faults: GraphFault[] = []
    if (seen.has(name)) faults.push({ code: 'node-duplicate', node: name, detail: `There are two nodes '${name}'.` })
    seen.add(name)
    if (typeof name !== 'string' || name === '') {
      faults.push({ code: 'node-unnamed', detail: 'A node has no name: it has to be a text that is not empty.' })
    }
    if (name === START || name === END) {
      faults.push({ code: 'node-reserved', node: name, detail: `'${name}' names an end of every graph, and no node.` })
    }
    if (!isRunnable(node)) {
      const detail = `The node '${name}' is neither a function nor a compiled graph nor something with run or invoke.`
      faults.push({ code: 'node-not-runnable', node: name, detail })
    }
    return [...faults, ...optionFaults(options, name)]
  })
}

function isRunnable(node: unknown): boolean {
  if (typeof node === 'function') return true
  if (typeof node !== 'object' || node === null) return false
  if (findPlan(node) !== undefined) return true
  const { run, invoke } = node as { readonly run?: unknown; readonly invoke?: unknown }
  return typeof run === 'function' || typeof invoke === 'function'
}

function edgeFaults({ edges }: DefinedGraph, names: ReadonlySet<string>): readonly GraphFault[] {
  return edges.flatMap(({ from, to }) => [
    ...sourceFaults(`The edge from '${from}' to '${to}'`, from, names),
    ...targetFaults(`The edge from '${from}' to '${to}'`, to, names, 'edge-target-unknown'),
  ])
}

function routeFaults({ routes }: DefinedGraph, names: ReadonlySet<string>): readonly GraphFault[] {
  return routes.flatMap(({ from, route, targets }) => {
    const what = `The conditional edge from '${from}'`
    const isFunction = typeof route === 'function'
    return [
      ...(isFunction ? [] : [{ code: 'route-invalid', node: from, detail: `${what} has no function to decide.` }]),
      ...sourceFaults(what, from, names),
      ...[...(targets?.keys() ?? [])].flatMap(to => targetFaults(what, to, names, 'route-target-unknown')),
    ]
  })
}

function gotoFaults(nodes: readonly DefinedNode[], names: ReadonlySet<string>): readonly GraphFault[] {
  return nodes.flatMap(({ name, options }) =>
    (Array.isArray(options.goto) ? options.goto : []).flatMap(to =>
      targetFaults(`The goto of '${name}'`, to, names, 'goto-unknown'),
    ),
  )
}

function sourceFaults(what: string, from: string, names: ReadonlySet<string>): readonly GraphFault[] {
  if (from === END) return [{ code: 'edge-from-end', detail: `${what} leaves the end, where nothing goes on.` }]
  if (from === START || names.has(from)) return []
  const detail = `${what} begins at '${from}', which is no node.${didYouMean(from, names)}`
  return [{ code: 'edge-source-unknown', node: from, detail }]
}

function targetFaults(what: string, to: string, names: ReadonlySet<string>, code: string): readonly GraphFault[] {
  if (to === START) return [{ code: 'edge-to-start', detail: `${what} leads to the start, where nothing arrives.` }]
  if (to === END || names.has(to)) return []
  return [{ code, node: to, detail: `${what} leads to '${to}', which is no node.${didYouMean(to, names)}` }]
}

function interruptFaults(options: UncheckedOptions, names: ReadonlySet<string>): readonly GraphFault[] {
  return (['interruptBefore', 'interruptAfter'] as const).flatMap(option =>
    (options[option] ?? [])
      .filter(name => !names.has(name))
      .map(name => ({
        code: 'interrupt-unknown',
        node: name,
        detail: `${option} names '${name}', which is no node.${didYouMean(name, names)}`,
      })),
  )
}

function nameFaults(name: string | undefined): readonly GraphFault[] {
  if (name === undefined || (typeof name === 'string' && /^[^/\s]+$/.test(name))) return []
  const detail = `The name of the graph, ${JSON.stringify(name)}, has to be a text without spaces and slashes: it is part of its threads' branches.`
  return [{ code: 'name-invalid', detail }]
}

function repoFaults(repo: unknown): readonly GraphFault[] {
  if (repo === undefined || (typeof repo === 'object' && repo !== null && 'handle' in repo)) return []
  const isAwaited = typeof (repo as Partial<PromiseLike<unknown>> | null)?.then !== 'function'
  const detail = `The repo is no repository${isAwaited ? '' : ', but a promise of one'}: give what await open() gives.`
  return [{ code: 'repo-invalid', detail }]
}

const compileOptions = optionsOf<UncheckedOptions>('compile', {
  repo: true,
  name: true,
  interruptBefore: true,
  interruptAfter: true,
})
const definitionOptions = optionsOf<GraphDefinition>('StateGraph', {
  state: true,
  reducers: true,
  input: true,
  output: true,
  context: true,
  defaults: true,
})

function unknownFaults(what: string, given: object, known: readonly string[]): readonly GraphFault[] {
  return unknownNames(given, known).map(name => ({
    code: 'option-unknown',
    detail: `${what} '${name}'.${didYouMean(name, known)}`,
  }))
}

function entryFaults(entry: Entry, ways: KnownWays): readonly GraphFault[] {
  if (ways.nodes.size === 0) return [{ code: 'graph-empty', detail: 'The graph has no nodes.' }]
  switch (entry.kind) {
    case 'missing':
      return [
        {
          code: 'entry-missing',
          detail: 'No edge leaves START, and an edge leads to every node: say where it begins with addEdge(START, …).',
        },
      ]
    case 'ambiguous': {
      const listed = entry.nodes.map(name => `'${name}'`).join(', ')
      const detail = `No edge leaves START, and none leads to any of ${listed}: say where a run begins.`
      return [{ code: 'entry-ambiguous', detail }]
    }
    default: {
      const starts = entry.kind === 'found' ? [entry.node] : [START]
      return findUnreachable(ways, starts)
        .filter(name => name !== START && name !== END)
        .map(name => ({
          code: 'node-unreachable',
          node: name,
          detail: `Nothing leads to '${name}': add an edge, or name it in the targets of a route or the goto of a node.`,
        }))
    }
  }
}
