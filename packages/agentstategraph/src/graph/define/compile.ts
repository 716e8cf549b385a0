/**
 * Compiles a defined graph: checks all of it, reports every fault at once, and makes the plan.
 *
 * A plan shares nothing mutable with the builder, so later calls of the builder do not change it.
 */

import { didYouMean, isStandardSchema, type StandardSchema } from '../../core/index.ts'
import { type GraphFault, graphError } from '../errors.ts'
import type {
  CompiledGraphPlan,
  NodeFunction,
  PlannedNode,
  PlannedRoute,
  RouteFunction,
} from '../model/compiled-plan.ts'
import { findPlan } from '../model/compiled-plan.ts'
import { getOrAdd } from '../model/get-or-add.ts'
import { optionsOver } from '../model/node-options.ts'
import type { StateFields } from '../model/state-fields.ts'
import { START } from '../model/targets.ts'
import { defineFields } from '../state/define-fields.ts'
import { findReducer, type Reducer, reducerNames } from '../state/reducers/named.ts'
import { readSource, type Source } from '../state/source.ts'
import type { DefinedGraph, DefinedNode, GraphDefinition, UncheckedOptions } from './definition.ts'
import { checkShape } from './faults.ts'

const defaultName = 'graph'

/** Makes the plan of a graph, or throws `graph-invalid` with every fault. */
export function compile(graph: DefinedGraph, options: UncheckedOptions): CompiledGraphPlan {
  const shape = checkShape(graph, options)
  const { fields, faults } = fieldsOf(graph.definition)
  const { context } = graph.definition
  const all = [...faults, ...contextFaults(context), ...shape.faults]
  if (all.length > 0 || fields === undefined) throw graphError('graph-invalid', { faults: all })
  const edges = edgesOf(graph)
  if (shape.entry.kind === 'found') edges.set(START, [shape.entry.node])
  return Object.freeze({
    name: options.name ?? defaultName,
    fields,
    nodes: nodesOf(graph),
    edges,
    routes: routesOf(graph),
    joins: joinsOf(graph),
    interruptBefore: new Set(options.interruptBefore),
    interruptAfter: new Set(options.interruptAfter),
    context: context as StandardSchema | undefined,
  })
}

function contextFaults(context: unknown): readonly GraphFault[] {
  if (context === undefined || isStandardSchema(context)) return []
  return [{ code: 'context-invalid', detail: 'The context is described by something that is no Standard Schema.' }]
}

function fieldsOf(definition: GraphDefinition): { fields: StateFields | undefined; faults: readonly GraphFault[] } {
  const faults: GraphFault[] = []
  const read = (what: 'state' | 'input' | 'output'): Source | undefined => {
    if (what !== 'state' && definition[what] === undefined) return undefined
    const source = readSource(definition[what])
    if (typeof source !== 'string') return source
    faults.push({ code: `${what}-invalid`, detail: `The ${what} is not described: ${source}.` })
    return undefined
  }
  const source = read('state')
  const input = read('input')
  const output = read('output')
  const reducers = reducersOf(definition.reducers ?? {}, source, faults)
  for (const [what, part] of [
    ['input', input],
    ['output', output],
  ] as const) {
    for (const name of part?.fields?.keys() ?? []) {
      if (source?.fields === undefined || source.fields.has(name)) continue
      const detail = `The ${what} has '${name}', which is no field of the state.${didYouMean(name, source.fields.keys())}`
      faults.push({ code: `${what}-field-unknown`, detail })
    }
  }
  return { fields: source && defineFields({ source, reducers, input, output }), faults }
}

function reducersOf(
  specs: Readonly<Record<string, unknown>>,
  source: Source | undefined,
  faults: GraphFault[],
): ReadonlyMap<string, Reducer> {
  const reducers = new Map<string, Reducer>()
  for (const [field, spec] of Object.entries(specs)) {
    if (spec === undefined) continue
    if (source?.fields?.has(field) === false) {
      const detail = `There is a reducer for '${field}', which is no field of the state.${didYouMean(field, source.fields.keys())}`
      faults.push({ code: 'reducer-field-unknown', detail })
    }
    const reducer = findReducer(spec)
    if (reducer !== undefined) reducers.set(field, reducer)
    else faults.push({ code: 'reducer-unknown', detail: unknownReducer(field, spec) })
  }
  return reducers
}

function unknownReducer(field: string, spec: unknown): string {
  const meant = typeof spec === 'string' ? didYouMean(spec, reducerNames) : ''
  const words = typeof spec === 'string' ? `'${spec}'` : 'something else'
  return `The reducer of '${field}' is ${words}, and has to be one of ${reducerNames.join(', ')}, { unionBy } or a function.${meant}`
}

function nodesOf({ nodes, definition }: DefinedGraph): ReadonlyMap<string, PlannedNode> {
  const { defaults = {} } = definition
  return new Map(
    nodes.map(({ name, node, options }, order) => {
      const subgraph = findPlan(node as object)
      const planned = { name, order, run: runOf(node), subgraph, options: optionsOver(defaults, options) }
      return [name, Object.freeze(planned)]
    }),
  )
}

/** The function of a node. A method is called on its object. */
function runOf(node: DefinedNode['node']): NodeFunction {
  if (typeof node === 'function') return node as NodeFunction
  const agent = node as { readonly run?: NodeFunction; readonly invoke?: NodeFunction }
  if (typeof agent.run === 'function') return (state, ctx) => agent.run!(state, ctx)
  return (state, ctx) => agent.invoke!(state, ctx)
}

function edgesOf({ edges }: DefinedGraph): Map<string, readonly string[]> {
  const bySource = new Map<string, Set<string>>()
  for (const { from, to } of edges) getOrAdd(bySource, from, () => new Set<string>()).add(to)
  return new Map(Array.from(bySource, ([from, targets]) => [from, Object.freeze([...targets])]))
}

function routesOf({ routes }: DefinedGraph): ReadonlyMap<string, readonly PlannedRoute[]> {
  const bySource = new Map<string, PlannedRoute[]>()
  for (const { from, route, targets } of routes) {
    getOrAdd(bySource, from, () => []).push(Object.freeze({ route: route as RouteFunction, targets }))
  }
  return bySource
}

/** The nodes that are drawn as joins: targets of several edges, nodes with a `join` option, and deferred ones. */
function joinsOf({ nodes, edges }: DefinedGraph): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, Set<string>>()
  const declared = new Set<string>()
  for (const { from, to, isJoin } of edges) {
    getOrAdd(sources, to, () => new Set<string>()).add(from)
    if (isJoin) declared.add(to)
  }
  const joins = new Map<string, readonly string[]>()
  for (const { name, options } of nodes) {
    const leading = sources.get(name) ?? new Set<string>()
    const isJoin = declared.has(name) || leading.size > 1 || options.join !== undefined || options.defer === true
    if (isJoin) joins.set(name, Object.freeze([...leading]))
  }
  return joins
}
