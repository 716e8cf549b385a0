/**
 * What the edges of a graph say about which node can come after which, without running anything.
 *
 * Joins need it: whether a join belongs to a fork group or to the one around it, whether one waits for another, and
 * where a fan-out goes on that sent nothing. A route without declared targets is taken to lead to the nodes that nothing
 * else leads to, the loose ones. Each answer is a walk over the edges; those about groups are
 * remembered, because a loop asks them again and again.
 */

import { appendAll } from '../../core/index.ts'
import type { Plan } from '../plan.ts'
import { END, START } from '../targets.ts'

export interface Layout {
  /** The nodes that a static edge from here leads to. */
  edgesFrom(node: string): readonly string[]
  /** The nodes from which a static edge leads here. */
  sources(node: string): readonly string[]
  /** Where the routes and the gotos of a node may lead, and whether somebody said so for all its routes. */
  routed(node: string): { readonly targets: readonly string[]; readonly isDeclared: boolean }
  /** All that can be reached from these, themselves included, without passing the blocked ones. */
  reach(starts: Iterable<string>, blocked: ReadonlySet<string>): ReadonlySet<string>
  /** An answer about this graph that was found before, or is now. */
  remember(question: string, find: () => ReadonlySet<string>): ReadonlySet<string>
}

/** A route that chooses among many targets makes many groups. */
const ANSWERS_AT_MOST = 1000

const layouts = new WeakMap<Plan, Layout>()

export function layoutOf(plan: Plan): Layout {
  let layout = layouts.get(plan)
  if (layout === undefined) {
    layout = newLayout(plan)
    layouts.set(plan, layout)
  }
  return layout
}

function newLayout(plan: Plan): Layout {
  const sources = new Map<string, string[]>()
  const led = new Set<string>()
  for (const [from, targets] of plan.edges) {
    for (const to of targets) {
      led.add(to)
      if (from !== START) sources.set(to, [...(sources.get(to) ?? []), from])
    }
  }
  for (const routes of plan.routes.values()) {
    for (const { targets } of routes) for (const to of targets?.keys() ?? []) led.add(to)
  }
  for (const { options } of plan.nodes.values()) for (const to of options.goto ?? []) led.add(to)
  const loose = [...plan.nodes.keys()].filter(name => !led.has(name))

  const edgesFrom = (node: string): readonly string[] => (plan.edges.get(node) ?? []).filter(to => to !== END)
  const routed = (node: string): { readonly targets: readonly string[]; readonly isDeclared: boolean } => {
    const routes = plan.routes.get(node) ?? []
    const isDeclared = routes.every(route => route.targets !== undefined)
    const declared = routes.flatMap(route => [...(route.targets?.keys() ?? [])])
    const said = [...declared, ...(plan.nodes.get(node)?.options.goto ?? [])].filter(to => to !== END)
    return { targets: [...new Set(isDeclared ? said : [...said, ...loose])], isDeclared }
  }
  const answers = new Map<string, ReadonlySet<string>>()
  return {
    edgesFrom,
    routed,
    remember(question, find) {
      const answer = answers.get(question) ?? find()
      if (answers.size >= ANSWERS_AT_MOST) answers.clear()
      answers.set(question, answer)
      return answer
    },
    sources: node => sources.get(node) ?? [],
    reach(starts, blocked) {
      const reached = new Set<string>()
      const open = [...starts]
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        if (reached.has(node) || blocked.has(node)) continue
        reached.add(node)
        appendAll(open, edgesFrom(node))
        appendAll(open, routed(node).targets)
      }
      return reached
    },
  }
}
