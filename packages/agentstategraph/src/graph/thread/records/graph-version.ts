/**
 * The version of a graph: a digest of its nodes, edges, joins and reducers, and of its subgraphs.
 *
 * Errors about threads that another version has left name it. The code of functions is not part of it.
 */

import { canonicalText, hashText, hexOfId, type Stored } from '../../../core/index.ts'
import type { CompiledGraphPlan } from '../../model/compiled-plan.ts'
import { getOrAdd } from '../../model/get-or-add.ts'

const VERSION_DIGITS = 8

const versions = new WeakMap<CompiledGraphPlan, string>()

export function versionOf(plan: CompiledGraphPlan): string {
  return getOrAdd(versions, plan, () => hexOfId(hashText(canonicalText(shapeOf(plan)))).slice(0, VERSION_DIGITS))
}

function shapeOf(plan: CompiledGraphPlan): Stored {
  const nodes = [...plan.nodes.values()].map(({ name, options, subgraph }): Stored => {
    const { join = null, defer = false, goto = [] } = options
    return [name, join as Stored, defer, [...goto], subgraph === undefined ? null : versionOf(subgraph)]
  })
  const edges = Array.from(plan.edges, ([from, targets]): Stored => [from, [...targets]])
  const routes = Array.from(
    plan.routes,
    ([from, list]): Stored => [from, list.map(({ targets }) => (targets === undefined ? null : [...targets.keys()]))],
  )
  const fields = (plan.fields.names ?? []).map((name): Stored => [name, plan.fields.reducerOf(name) ?? null])
  return [plan.name, nodes, edges, routes, fields]
}
