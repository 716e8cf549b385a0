/**
 * Every commit keeps the strict schemas of its own system root: this is what holds it to that.
 *
 * A state that lands was made from one that kept its schemas, so only what changed is asked. A schema that came or changed
 * together with the state is asked about all of it. What breaks a schema that only warns is written in the commit.
 */

import { encode, formatPath, isStateError, type Stored } from '../../core/index.ts'
import type { Journal, StoredCommit, Work } from '../../store/index.ts'
import { edit, type Link, rootOf } from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import type { SchemaWarning, Violation } from '../records/violation.ts'
import { type Enforcement, findSchemas, type SchemaRule, type SchemasInForce } from '../state/schemas.ts'
import { rootOfPath } from '../state/state.ts'
import { faultsOf } from './places.ts'

type State = Pick<StoredCommit, 'tree' | 'system'>

/** What breaks the schemas in force in a state. With a state that kept its own, only what differs is looked at. */
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
      violations.push({ ...fault, path: formatPath(fault.path), pattern, enforcement: record.enforcement })
    }
  }
  return violations
}

/** The root that a rule is about. Plans are meant only by patterns that name them. */
function rootAskedBy({ glob: { parts } }: SchemaRule, state: State): Link {
  const [first] = parts
  return rootOfPath(state, first?.kind === 'key' ? [first.key] : [])
}

/** The schemas that a state kept. Where one cannot be read, none is known to have been kept. */
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

const none: Judged = { schema: undefined, warnings: [] }

/** Throws `schema-violation` when a state breaks a strict schema in force; otherwise tells what to write in its commit. */
export function* judgeState(journal: Journal, before: State | undefined, after: State): Work<Judged> {
  const schemas = yield* findSchemas(journal, after.system)
  if (schemas === undefined) return none
  const found = yield* violationsOf(journal, schemas, before, after, ['strict', 'warn'])
  const refused = found.filter(({ enforcement }) => enforcement === 'strict')
  if (refused.length > 0) {
    const violations = refused.map(({ enforcement: _, ...violation }) => violation)
    throw repoError('schema-violation', { violations })
  }
  const warnings = found.map(({ path, rule, message, pattern }) => ({ path, rule, message, pattern }))
  return { schema: schemas.id, warnings }
}

/** A commit's detail with its warnings. */
export function* withWarnings(
  { context }: Journal,
  detail: Link | undefined,
  warnings: readonly SchemaWarning[],
): Work<Link | undefined> {
  if (warnings.length === 0) return detail
  const value = encode(warnings) as Stored
  const root = detail ?? rootOf(context, {}, 0)
  return (yield* edit({ ...context, encryption: undefined }, root, [{ op: 'set', path: ['warnings'], value }])).root
}
