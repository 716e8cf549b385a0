/**
 * The user's code that operations need: graphs to run, migrations, tasks of agents.
 *
 * A module given with `--app` exports them. An operation that needs a part that is missing fails with the option that adds it.
 */
import type { Repository } from 'agentstategraph'
import type { App, GraphTypes } from 'agentstategraph/graph'
import type { Versioned } from 'agentstategraph/memory'
import type { Migration } from 'agentstategraph/schema'
import { serverError } from '../wire/errors.ts'

export type AnyApp = App<GraphTypes>

/** A task whose types are not known here. */
export type AnyTask = (input: unknown, call: { state: Versioned; signal: AbortSignal }) => Promise<unknown>

/** What a module given with `--app` exports. */
export interface Apps {
  /** By name, how each graph is compiled on a repository: `repo => graph.compile({ repo, name: 'support' })`. */
  readonly graphs?: Readonly<Record<string, (repo: Repository) => AnyApp>> | undefined
  readonly migrations?: readonly Migration[] | undefined
  /** By the agent's name, its tasks by theirs. */
  readonly agents?: Readonly<Record<string, Readonly<Record<string, AnyTask>>>> | undefined
}

/** A part of the app by its name. */
export function getPart<T>(what: string, parts: Readonly<Record<string, T>> | undefined, name: string): T {
  if (parts === undefined) throw serverError('app-missing', { what: `${what}s` })
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined
  if (part === undefined) throw serverError('app-part-not-found', { what, name, known: Object.keys(parts) })
  return part
}
