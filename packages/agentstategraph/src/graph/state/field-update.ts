/**
 * Applies an update to a state, field by field: reduces, checks and freezes.
 *
 * All issues of an update are collected and reported at once; an error of a reducer ends the update. Input and output
 * schemas are not known here.
 */

import {
  appendAll,
  didYouMean,
  formatPath,
  isPlainObject,
  type StandardSchema,
  setOwn,
  type Validated,
  validateWith,
} from '../../core/index.ts'
import { type FieldIssue, graphError } from '../errors.ts'
import { andThen, foldPromise, type MaybePromise } from '../model/maybe-promise.ts'
import type { State } from '../model/run-protocol.ts'
import type { Applied } from '../model/state-fields.ts'
import { frozen } from './frozen.ts'
import type { Reducer } from './reducers/named.ts'
import { type FieldChange, kindOf, type Reduced, unchanged, whole } from './reducers/reduced.ts'
import { hasSameContent } from './same-content.ts'
import type { Source } from './source.ts'

/** The fields of a state and their reducers. */
export interface Definition {
  readonly source: Source
  readonly reducers: ReadonlyMap<string, Reducer>
}

/** Makes the error for an update with issues. */
export type Refuse = (issues: readonly FieldIssue[]) => Error

interface Progress {
  readonly values: Map<string, unknown>
  readonly changes: FieldChange[]
  readonly issues: FieldIssue[]
}

/** Applies an update of a node. The error of a reducer names the node. */
export function applyUpdate(
  definition: Definition,
  state: State,
  update: unknown,
  node: string,
  refuse: Refuse,
): MaybePromise<Applied> {
  if (update === undefined) return { state, changes: [] }
  if (!isUpdate(update)) {
    throw refuse([{ field: '', path: '/', message: `it is ${kindOf(update)}, and has to be an object of fields` }])
  }
  const names = Object.keys(update).filter(name => update[name] !== undefined)
  const start: Progress = { values: new Map(), changes: [], issues: [...unknownFields(definition.source, names)] }
  const known = names.filter(name => definition.source.fields?.has(name) !== false)
  const written = foldPromise(known, start, (progress, name) => {
    const base = Object.hasOwn(state, name) ? state[name] : undefined
    return andThen(fieldWritten(definition, name, base, update[name], node), result =>
      noted(progress, name, base, result),
    )
  })
  return andThen(written, ({ values, changes, issues }) => {
    if (issues.length > 0) throw refuse(issues)
    if (values.size === 0) return { state, changes: [] }
    const next = withFields(state, values)
    const asked = definition.source.whole
    return asked === undefined ? { state: next, changes } : checkedWhole(asked, next, changes, known, refuse)
  })
}

export function isUpdate(update: unknown): update is State {
  return typeof update === 'object' && update !== null && !Array.isArray(update) && isPlainObject(update)
}

/** The issues of a schema with one field. */
export function issuesOf(field: string, found: Validated): readonly FieldIssue[] {
  if (!('issues' in found)) return []
  return found.issues.map(({ path, message }) => ({ field, path: formatPath([field, ...path]), message }))
}

/** An issue for each name that is not a field. */
export function unknownFields(source: Source, names: readonly string[]): readonly FieldIssue[] {
  const { fields } = source
  if (fields === undefined) return []
  return names.filter(name => !fields.has(name)).map(name => unknownField(name, fields.keys()))
}

function unknownField(name: string, known: Iterable<string>): FieldIssue {
  return {
    field: name,
    path: formatPath([name]),
    message: `'${name}' is not a field of the state.${didYouMean(name, known)}`,
  }
}

/** The state with some fields replaced. */
export function withFields(state: State, values: ReadonlyMap<string, unknown>): State {
  const next: { [name: string]: unknown } = { ...state }
  for (const [name, value] of values) setOwn(next, name, value)
  return frozen(next)
}

type Written = { readonly reduced: Reduced } | { readonly issues: readonly FieldIssue[] }

/** The new value of a field, or its issues. */
export function fieldWritten(
  definition: Definition,
  name: string,
  base: unknown,
  given: unknown,
  node: string,
): MaybePromise<Written> {
  const field = definition.source.fields?.get(name)
  const reducer = definition.reducers.get(name)
  const delta = frozen(given)
  if (reducer === undefined) return checked(name, whole(delta), field?.check)
  if (reducer.kind === 'append' && field?.isElementwise === true) {
    // The elements in the field have been checked. Checking them again would cost the length of the list each time.
    const isNew = base === undefined || base === null || !Array.isArray(delta)
    if (!isNew) return appendChecked(reducer, name, base, delta, field.check!, node)
  }
  return andThen(reducer.kind === 'first' ? (field?.initial() ?? undefined) : undefined, initial => {
    const began = initial !== undefined && 'value' in initial ? initial.value : undefined
    return checked(name, reducedBy(reducer, name, base, delta, began, node), field?.check)
  })
}

function appendChecked(
  reducer: Reducer,
  name: string,
  base: unknown,
  delta: readonly unknown[],
  check: (value: unknown) => MaybePromise<Validated>,
  node: string,
): MaybePromise<Written> {
  return andThen(check(delta), found => {
    if ('issues' in found) return { issues: issuesOf(name, found) }
    return { reduced: reducedBy(reducer, name, base, frozen(found.value), undefined, node) }
  })
}

function reducedBy(
  { name: reducer, reduce }: Reducer,
  field: string,
  base: unknown,
  delta: unknown,
  initial: unknown,
  node: string,
): Reduced {
  try {
    return reduce(base, delta, initial)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw graphError('reducer-failed', { field, node, reducer, reason }, { cause })
  }
}

function checked(
  name: string,
  reduced: Reduced,
  check: ((value: unknown) => MaybePromise<Validated>) | undefined,
): MaybePromise<Written> {
  if (check === undefined) return { reduced }
  return andThen(check(reduced.value), found => {
    if ('issues' in found) return { issues: issuesOf(name, found) }
    return { reduced: hasSameContent(found.value, reduced.value) ? reduced : whole(found.value) }
  })
}

function noted(progress: Progress, name: string, base: unknown, result: Written): Progress {
  if ('issues' in result) {
    appendAll(progress.issues, result.issues)
    return progress
  }
  const { value, changes } = settled(base, result.reduced)
  if (changes.length > 0) progress.values.set(name, value)
  for (const change of changes) progress.changes.push({ ...change, path: [name, ...change.path] })
  return progress
}

/** Freezes the value. There are no changes when the field already has this content. */
function settled(base: unknown, { value, changes }: Reduced): Reduced {
  if (value === base) return unchanged(base)
  const isWhole = changes.length === 1 && changes[0]!.path.length === 0
  if (!isWhole) return { value: frozen(value), changes }
  if (base !== undefined && hasSameContent(base, value)) return unchanged(base)
  return whole(frozen(value))
}

/** Checks the whole state, and takes the output of the schema for the fields that were written. */
function checkedWhole(
  schema: StandardSchema,
  next: State,
  changes: readonly FieldChange[],
  written: readonly string[],
  refuse: Refuse,
): MaybePromise<Applied> {
  return andThen(validateWith(schema, next), found => {
    if ('issues' in found) throw refuse(wholeIssues(found.issues))
    if (!isUpdate(found.value)) throw refuse([notAnObject(found.value)])
    const given = found.value
    const dropped = written.filter(name => !Object.hasOwn(given, name))
    if (dropped.length > 0) throw refuse(dropped.map(name => unknownField(name, Object.keys(given))))
    const other = written.filter(name => !hasSameContent(given[name], next[name]))
    if (other.length === 0) return { state: next, changes }
    const values = new Map(other.map(name => [name, frozen(given[name])]))
    return {
      state: withFields(next, values),
      changes: [
        ...changes.filter(({ path }) => !values.has(path[0]!)),
        ...Array.from(values, ([name, value]) => ({ op: 'set' as const, path: [name], value })),
      ],
    }
  })
}

/** The issues of a schema with a whole state, by field. */
export function wholeIssues(
  issues: readonly { readonly path: readonly string[]; readonly message: string }[],
): readonly FieldIssue[] {
  return issues.map(({ path, message }) => ({ field: path[0] ?? '', path: formatPath(path), message }))
}

export function notAnObject(value: unknown): FieldIssue {
  return { field: '', path: '/', message: `the schema gives ${kindOf(value)}, and a state is an object of fields` }
}
