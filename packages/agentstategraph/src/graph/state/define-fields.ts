/**
 * The fields of a state, from the sources of state, input and output, and the reducers.
 *
 * Input is applied through the reducers to the initial values, as an update is.
 */

import { appendAll, type StandardSchema, validateWith } from '../../core/index.ts'
import { type FieldIssue, graphError } from '../errors.ts'
import { andThen, foldPromise, type MaybePromise } from '../model/maybe-promise.ts'
import type { State } from '../model/run-protocol.ts'
import type { StateFields } from '../model/state-fields.ts'
import { START } from '../model/targets.ts'
import {
  applyUpdate,
  type Definition,
  fieldWritten,
  issuesOf,
  isUpdate,
  notAnObject,
  unknownFields,
  wholeIssues,
  withFields,
} from './field-update.ts'
import { forTask, frozen } from './frozen.ts'
import type { Reducer } from './reducers/named.ts'
import { kindOf } from './reducers/reduced.ts'
import type { Source } from './source.ts'

export interface FieldsDefinition extends Definition {
  /** The source of the input, when it is not that of the state. */
  readonly input?: Source | undefined
  /** The source of the output, when it is not that of the state. */
  readonly output?: Source | undefined
}

export function defineFields(definition: FieldsDefinition): StateFields {
  const { source, reducers, input, output } = definition
  return {
    names: source.fields === undefined ? undefined : Object.freeze([...source.fields.keys()]),
    begin: given => andThen(admitted(input, given), values => filledIn(definition, values)),
    inherit: kept => inherited(source, kept),
    missing: state => lacking(source, state),
    reducerOf: field => reducerName(reducers.get(field)),
    resume: (state, given) =>
      andThen(admitted(input, given), values =>
        applyUpdate(definition, state, givenOf(values, given), START, inputRefused),
      ),
    apply: (state, update, node) =>
      applyUpdate(definition, state, update, node, issues => graphError('update-invalid', { node, issues })),
    plain: update => Object.keys(update).filter(name => update[name] !== undefined && !reducers.has(name)),
    hasOutput: output !== undefined,
    output: state => andThen(shown(output, state), forTask),
  }
}

function inputRefused(issues: readonly FieldIssue[]): Error {
  return graphError('input-invalid', { issues })
}

/** The input of the caller, checked by the schema of the input. */
function admitted(source: Source | undefined, given: unknown): MaybePromise<State> {
  const input = given ?? {}
  if (!isUpdate(input)) {
    throw inputRefused([{ field: '', path: '/', message: `it is ${kindOf(input)}, and has to be an object of fields` }])
  }
  return source === undefined ? input : filledIn({ source, reducers: new Map() }, input)
}

/** The input without defaults of its schema, which must not overwrite the state of a thread. */
function givenOf(values: State, given: unknown): State {
  const names = Object.keys((given ?? {}) as object)
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

/** All fields of a source: the input reduced over the initial values. */
function filledIn(definition: Definition, input: State): MaybePromise<State> {
  const { fields, whole } = definition.source
  const names = Object.keys(input).filter(name => input[name] !== undefined)
  const all = fields === undefined ? names : [...fields.keys()]
  const start = { values: new Map<string, unknown>(), issues: [...unknownFields(definition.source, names)] }
  const filled = foldPromise(all, start, (sum, name) =>
    andThen(beginField(definition, name, input), ({ value, issues }) => {
      appendAll(sum.issues, issues)
      if (value !== undefined) sum.values.set(name, value)
      return sum
    }),
  )
  return andThen(filled, ({ values, issues }) => {
    if (issues.length > 0) throw inputRefused(issues)
    const state = withFields({}, values)
    return whole === undefined ? state : wholeBeginning(whole, state)
  })
}

function inherited({ fields }: Source, kept: State): MaybePromise<State> {
  if (fields === undefined) return frozen(kept)
  const filled = foldPromise([...fields], new Map<string, unknown>(), (values, [name, field]) => {
    if (Object.hasOwn(kept, name)) return values.set(name, kept[name])
    return andThen(field.initial(), initial =>
      'issues' in initial || initial.value === undefined ? values : values.set(name, initial.value),
    )
  })
  return andThen(filled, values => withFields({}, values))
}

/** The name of a reducer. That of a function is not used, because a build may change it. */
function reducerName(reducer: Reducer | undefined): string | undefined {
  return reducer?.kind === 'function' ? 'a function' : reducer?.name
}

function lacking({ fields }: Source, state: State): MaybePromise<readonly string[]> {
  const absent = [...(fields ?? [])].filter(([name]) => !Object.hasOwn(state, name))
  return foldPromise(absent, [] as readonly string[], (names, [name, field]) =>
    andThen(field.initial(), initial => ('issues' in initial ? [...names, name] : names)),
  )
}

interface Begun {
  readonly value?: unknown
  readonly issues: readonly FieldIssue[]
}

function beginField(definition: Definition, name: string, input: State): MaybePromise<Begun> {
  const field = definition.source.fields?.get(name)
  const given = Object.hasOwn(input, name) ? input[name] : undefined
  const isReduced = definition.reducers.has(name)
  if (given !== undefined && !isReduced) return written(fieldWritten(definition, name, undefined, given, START))
  return andThen(field?.initial() ?? { value: undefined }, initial => {
    if (given === undefined)
      return 'issues' in initial ? { issues: issuesOf(name, initial) } : { ...initial, issues: [] }
    const base = 'issues' in initial ? undefined : frozen(initial.value)
    return written(fieldWritten(definition, name, base, given, START))
  })
}

function written(result: ReturnType<typeof fieldWritten>): MaybePromise<Begun> {
  return andThen(result, found => ('issues' in found ? found : { value: found.reduced.value, issues: [] }))
}

function wholeBeginning(schema: StandardSchema, state: State): MaybePromise<State> {
  return andThen(validateWith(schema, state), found => {
    if ('issues' in found) throw inputRefused(wholeIssues(found.issues))
    if (!isUpdate(found.value)) throw inputRefused([notAnObject(found.value)])
    const value = found.value
    const dropped = Object.keys(state).filter(name => !Object.hasOwn(value, name))
    if (dropped.length > 0) {
      throw inputRefused(
        dropped.map(name => ({ field: name, path: `/${name}`, message: `'${name}' is not a field of the state` })),
      )
    }
    return frozen(value)
  })
}

/** The part of the final state that the output schema asks for. */
function shown(source: Source | undefined, state: State): MaybePromise<unknown> {
  if (source === undefined) return state
  const { fields, whole } = source
  const refused = (issues: readonly FieldIssue[]): Error => graphError('output-invalid', { issues })
  if (fields === undefined) {
    return andThen(validateWith(whole!, state), found => {
      if ('issues' in found) throw refused(wholeIssues(found.issues))
      return frozen(found.value)
    })
  }
  const start = { values: new Map<string, unknown>(), issues: [] as FieldIssue[] }
  const picked = foldPromise([...fields], start, (sum, [name, field]) => {
    const given = Object.hasOwn(state, name) ? state[name] : undefined
    const found = given === undefined ? field.initial() : (field.check?.(given) ?? { value: given })
    return andThen(found, result => {
      appendAll(sum.issues, issuesOf(name, result))
      if ('value' in result && result.value !== undefined) sum.values.set(name, result.value)
      return sum
    })
  })
  return andThen(picked, ({ values, issues }) => {
    if (issues.length > 0) throw refused(issues)
    return withFields({}, values)
  })
}
