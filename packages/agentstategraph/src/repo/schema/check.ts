/**
 * Enforces the invariant that every commit satisfies the strict schemas of its own system root.
 *
 * A landing starts from a state that satisfied its schemas, so only what changed is checked. A schema that was added or changed by
 * the landing is checked against the whole state. Violations of schemas that only warn are written into the commit.
 */

import { encode, formatPath, isStateError, type Stored } from '../../core/index.ts'
import { type Journal, pausePoint, type StoredCommit, type Work } from '../../store/index.ts'
import { edit, type Link, rootOf } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { SchemaWarning, Violation } from '../records/violation.ts'
import { type Enforcement, findSchemas, type SchemaRule, type SchemasInForce } from '../state/schemas.ts'
import { rootOfPath } from '../state/state.ts'
import { faultsOf } from './places.ts'

type State = Pick<StoredCommit, 'tree' | 'system'>

/** The violations of the schemas in force. With a valid state before, only what differs is checked. */
export function* violationsOf(
  journal: Journal,
  schemas: SchemasInForce,
  before: State | undefined,
  after: State,
  enforcement: readonly Enforcement[],
): Work<readonly (Violation & { readonly enforcement: Enforcement })[]> {
  const old = before === undefined ? undefined : yield* findReadable(journal, before)
  const violations: (Violation & { enforcement: Enforcement })[] = []
  for (const rule of schemas.rules) {
    const { pattern, record, content } = rule
    if (!enforcement.includes(record.enforcement)) continue
    const isKnown = old?.rules.some(one => one.pattern === pattern && one.content === content) === true
    const then = isKnown ? rootAskedBy(rule, before!) : undefined
    for (const fault of yield* faultsOf(journal, rule, then, rootAskedBy(rule, after))) {
      if (journal.nodes.isPauseDue?.() === true) yield pausePoint
      violations.push({ ...fault, path: formatPath(fault.path), pattern, enforcement: record.enforcement })
    }
  }
  return violations
}

/** The root that a schema applies to. Only patterns that begin with the key of plans apply to plans. */
function rootAskedBy({ glob: { parts } }: SchemaRule, state: State): Link {
  const [first] = parts
  return rootOfPath(state, first?.kind === 'key' ? [first.key] : [])
}

/** The schemas that a state satisfied; undefined when one of them cannot be read. */
function* findReadable(journal: Journal, { system }: State): Work<SchemasInForce | undefined> {
  try {
    return yield* findSchemas(journal, system)
  } catch (error) {
    if (isStateError(error, 'schema-unreadable')) return undefined
    throw error
  }
}

export interface Judged {
  /** The id of the schemas in force; undefined without any. */
  readonly schema: string | undefined
  readonly warnings: readonly SchemaWarning[]
}

export const withoutSchemas: Judged = { schema: undefined, warnings: [] }

/** Throws `schema-violation` for a strict schema; returns what the commit records. */
export function* judgeState(journal: Journal, before: State | undefined, after: State): Work<Judged> {
  const schemas = yield* findSchemas(journal, after.system)
  if (schemas === undefined) return withoutSchemas
  const found = yield* violationsOf(journal, schemas, before, after, ['strict', 'warn'])
  const refused = found.filter(({ enforcement }) => enforcement === 'strict')
  if (refused.length > 0) {
    const violations = refused.map(({ enforcement: _, ...violation }) => violation)
    throw repoError('schema-violation', { violations })
  }
  const warnings = found.map(({ path, rule, message, pattern }) => ({ path, rule, message, pattern }))
  return { schema: schemas.id, warnings }
}

/** A commit's detail with warnings. */
export function* withWarnings(
  { context }: Journal,
  detail: Link | undefined,
  warnings: readonly SchemaWarning[],
): Work<Link> {
  const value = encode(warnings) as Stored
  const root = detail ?? rootOf(context, {}, 0)
  return (yield* edit({ ...context, encryption: undefined }, root, [{ op: 'set', path: ['warnings'], value }])).root
}
