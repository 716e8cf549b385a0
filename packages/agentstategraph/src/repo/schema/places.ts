/**
 * Finds the places of a state that a schema is attached to and that a change may have broken.
 *
 * Old and new are walked side by side, as deep as the pattern can match, and shared nodes are not read. An absent place is not
 * checked: a schema does not require that its place exists.
 */

import { couldMatchBelow, isIndex, matchesGlob, type StandardSchema, userKey, validateWith } from '../../core/index.ts'
import type { Journal, Work } from '../../store/index.ts'
import {
  type Child,
  type ContainerNode,
  containerOfChild,
  contentOf,
  countOf,
  decryptedChild,
  differingElements,
  differingKeys,
  entriesOf,
  familyOf,
  isSameContent,
} from '../../tree/index.ts'
import { repoError } from '../errors.ts'
import { reportedChild } from '../state/decode-value.ts'
import { findOpaque, type SchemaRule } from '../state/schemas.ts'
import { descend, type Fault } from './descent.ts'

/** The violations of a schema. `before` is a valid state; undefined when there is none. */
export function* faultsOf(
  journal: Journal,
  rule: SchemaRule,
  before: Child | undefined,
  after: Child,
): Work<readonly Fault[]> {
  const faults: Fault[] = []
  const opaque = findOpaque(journal, rule.record)
  if (rule.document === undefined && opaque === undefined) return faults
  const onFault = (fault: Fault): void => {
    faults.push(fault)
  }
  yield* visit({ journal, rule, opaque, onFault }, before, after, [])
  return faults
}

interface Visit {
  readonly journal: Journal
  readonly rule: SchemaRule
  readonly opaque: StandardSchema | undefined
  readonly onFault: (fault: Fault) => void
}

function* visit(visiting: Visit, before: Child | undefined, after: Child, path: readonly string[]): Work<void> {
  if (before !== undefined && isSameContent(before, after)) return
  const { journal, rule, opaque, onFault } = visiting
  if (matchesGlob(rule.glob, path)) {
    if (opaque !== undefined) yield* askOpaque(visiting, opaque, after, path)
    else yield* descend({ journal, document: rule.document!, onFault }, rule.document!.schema, before, after, path)
  }
  if (!couldMatchBelow(rule.glob, path)) return
  const { context } = journal
  const now = yield* containerOfChild(context, yield* decryptedChild(context, after, 0))
  if (now === undefined) return
  const then = before && (yield* containerOfChild(context, yield* decryptedChild(context, before, 0)))
  const isKnown = then !== undefined && familyOf(then) === familyOf(now)
  if (familyOf(now).leaf === 'map') yield* visitMap(visiting, isKnown ? then : undefined, now, path)
  else yield* visitList(visiting, isKnown ? then : undefined, now, path)
}

function* visitMap(
  visiting: Visit,
  before: ContainerNode | undefined,
  after: ContainerNode,
  path: readonly string[],
): Work<void> {
  const { context } = visiting.journal
  if (before === undefined) {
    for (const { key, child } of yield* entriesOf(context, after)) {
      yield* visit(visiting, undefined, child, [...path, userKey(key)])
    }
    return
  }
  for (const { key, before: then, after: now } of yield* differingKeys(context, before, after)) {
    if (now !== undefined) yield* visit(visiting, then?.child, now.child, [...path, userKey(key)])
  }
}

function* visitList(
  visiting: Visit,
  before: ContainerNode | undefined,
  after: ContainerNode,
  path: readonly string[],
): Work<void> {
  const { context } = visiting.journal
  const namesPlaces = visiting.rule.glob.parts.some(part => part.kind === 'key' && isIndex(part.key))
  // A pattern with an index was never checked for an element that moved to that index.
  if (before === undefined || (namesPlaces && countOf(before) !== countOf(after))) {
    for (const [index, { child }] of (yield* entriesOf(context, after)).entries()) {
      yield* visit(visiting, undefined, child, [...path, `${index}`])
    }
    return
  }
  const { start, before: then, after: now } = yield* differingElements(context, before, after)
  const moved = namesPlaces ? new Set() : new Set(then.map(({ child }) => contentOf(child)))
  for (const [i, { child }] of now.entries()) {
    if (!moved.has(contentOf(child))) yield* visit(visiting, then[i]?.child, child, [...path, `${start + i}`])
  }
}

function* askOpaque(
  { journal, rule, onFault }: Visit,
  schema: StandardSchema,
  child: Child,
  path: readonly string[],
): Work<void> {
  const { vendor } = schema['~standard']
  const value = yield* reportedChild(journal.context, child)
  const answer = validateWith(schema, value)
  if (answer instanceof Promise) {
    // The promise is not awaited, so its rejection must not be unhandled.
    answer.catch(() => {})
    throw repoError('schema-async', { pattern: rule.pattern, vendor })
  }
  if (!('issues' in answer)) return
  for (const { message, path: inside } of answer.issues) {
    onFault({ path: [...path, ...inside], rule: vendor, message, value: partOf(value, inside) })
  }
}

/** The path comes from the library and need not exist in the value. */
function partOf(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const key of path) at = (at as { readonly [key: string]: unknown } | null | undefined)?.[key]
  return at
}
