/**
 * The API of schemas: attached to path patterns, stored beside the state, and enforced for every writer.
 *
 * Schemas belong to a branch: a new branch inherits them and can change its own. Enforcement is in `land`, so that no way of
 * writing bypasses it.
 */

import { checkOptions, copyGiven, encode, isStoredMap, parseGlob, type Stored } from '../core/index.ts'
import {
  assertReads,
  assertStillMayEdit,
  assertWritable,
  branchRef,
  completeReason,
  detailLink,
  dropOpaque,
  type Enforcement,
  findBranchHead,
  findOpaque,
  findSchemas,
  findWritten,
  type Handle,
  keepOpaque,
  landOn,
  mainBranch,
  type Prepared,
  plansKey,
  type Request,
  receipted,
  redactViolation,
  refNotFound,
  repoError,
  requestOf,
  type SchemaRule,
  type Violation,
  violationsOf,
  type Why,
  type Written,
  writtenOn,
} from '../repo/index.ts'
import { whyOptions } from '../repository/call-options.ts'
import type { Repository } from '../repository/index.ts'
import { keyedListing, type Listing } from '../repository/listing.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { type Link, rootOf, treeError } from '../tree/index.ts'
import { schemaError } from './errors.ts'
import {
  type AttachOptions,
  attachOptions,
  type GivenSchema,
  type PreparedSchema,
  prepareSchema,
} from './given-schema.ts'
import { assertCategory } from './meta-category.ts'
import { type SchemaChange, withSchemas } from './schema-edit.ts'

/** A schema in force for the places that a pattern matches. */
export interface AttachedSchema {
  readonly pattern: string
  readonly enforcement: Enforcement
  /** The JSON Schema; absent when the schema is opaque. */
  readonly schema?: object | boolean
  /** For an opaque schema: its library, and whether this process attached it and so can evaluate it. */
  readonly opaque?: { readonly vendor: string; readonly isKnown: boolean }
}

/** Where a state violates its schemas. */
export interface SchemaReport {
  readonly violations: readonly (Violation & { readonly enforcement: Enforcement })[]
  /** Patterns of opaque schemas that this process cannot evaluate. */
  readonly unchecked: readonly string[]
}

/** The schemas of a repository. */
export interface Schemas {
  /** Attaches a schema to a path pattern, in place of an earlier one. The current state has to conform to it. */
  attach(pattern: string, schema: GivenSchema, options: AttachOptions, why: Why): Promise<Written>
  detach(pattern: string, why: Why): Promise<Written>
  get(pattern: string): Promise<AttachedSchema>
  find(pattern: string): Promise<AttachedSchema | undefined>
  /** By pattern. */
  list(): Listing<AttachedSchema>
  /**
   * The violations in the state of the branch, or in a proposed state. All schemas are evaluated, also those that are
   * off.
   */
  check(value?: unknown): Promise<SchemaReport>
}

const attachWhy = whyOptions('attach')
const detachWhy = whyOptions('detach')

/** The schemas of a repository's branch. */
export function schemas(repo: Pick<Repository, 'handle'>): Schemas {
  const { handle } = repo
  const { journal, shared } = handle

  async function run<T>(work: Work<T>): Promise<T> {
    if (shared.isClosed) throw repoError('closed', { what: 'The repository' })
    return journal.run(work)
  }

  async function write(operation: string, work: () => Work<Written>): Promise<Written> {
    assertWritable(shared, operation)
    return receipted(handle, await run(work()))
  }

  return {
    async attach(pattern, schema, options, why) {
      checkOptions(attachOptions, options)
      if (typeof why !== 'string') checkOptions(attachWhy, why)
      return write('attach', () => attach(handle, prepareSchema(pattern, schema, options, journal.ids), why))
    },
    async detach(pattern, why) {
      if (typeof why !== 'string') checkOptions(detachWhy, why)
      return write('detach', () => detach(handle, parseGlob(pattern).text, why))
    },
    async get(pattern) {
      const { text } = parseGlob(pattern)
      const all = await run(listSchemas(handle))
      const found = all.find(one => one.pattern === text)
      if (found !== undefined) return found
      throw schemaError('schema-not-found', { pattern: text, known: all.map(one => one.pattern) })
    },
    async find(pattern) {
      const { text } = parseGlob(pattern)
      return (await run(listSchemas(handle))).find(one => one.pattern === text)
    },
    list: () => keyedListing(() => run(listSchemas(handle)), { key: ({ pattern }) => pattern }),
    check: value => run(report(handle, value)),
  }
}

function* rulesOf(handle: Handle): Work<readonly SchemaRule[]> {
  const head = yield* findBranchHead(handle)
  return head === undefined ? [] : ((yield* findSchemas(handle.journal, head.system))?.rules ?? [])
}

function* listSchemas(handle: Handle): Work<readonly AttachedSchema[]> {
  yield* assertReads(handle, ['_meta', 'schemas'])
  return (yield* rulesOf(handle)).map(({ pattern, record }) => {
    const { enforcement } = record
    if ('schema' in record) return { pattern, enforcement, schema: record.schema }
    const isKnown = findOpaque(handle.journal, record) !== undefined
    return { pattern, enforcement, opaque: { vendor: record.opaque.vendor, isKnown } }
  })
}

function* attach(handle: Handle, prepared: PreparedSchema, given: Why): Work<Written> {
  const why = copyGiven(given)
  const { journal } = handle
  const request = attachRequest(handle, prepared, why)
  const done = yield* findWritten(handle, request)
  if (done !== undefined) return done
  yield* assertMayChange(handle, prepared.pattern)
  if (prepared.opaque === undefined || !('opaque' in prepared.record)) {
    return yield* change(handle, { attach: prepared }, why, request)
  }
  const kept = (yield* rulesOf(handle)).find(({ pattern }) => pattern === prepared.pattern)?.record
  const isSame = kept !== undefined && 'opaque' in kept && kept.opaque.vendor === prepared.record.opaque.vendor
  const record = isSame ? { ...prepared.record, opaque: kept.opaque } : prepared.record
  const { id } = record.opaque
  const before = findOpaque(journal, record)
  keepOpaque(journal, id, prepared.opaque)
  try {
    if (isSame) yield* assertKept(handle, prepared.pattern)
    return yield* change(handle, { attach: { ...prepared, record } }, why, request)
  } catch (error) {
    if (before === undefined) dropOpaque(journal, id)
    else keepOpaque(journal, id, before)
    throw error
  }
}

/** Authorization runs before state is read, so a denied caller cannot probe schemas or state. */
function* assertMayChange(handle: Handle, pattern: string): Work<void> {
  const { who, branch } = handle
  yield* assertStillMayEdit(handle, who.agent, branch, [{ path: ['_meta', 'schemas', pattern] }])
}

/** An unchanged record is not checked by `land`, but the opaque schema behind it may differ in this process. */
function* assertKept(handle: Handle, pattern: string): Work<void> {
  const head = yield* findBranchHead(handle)
  const rules = (yield* rulesOf(handle)).filter(rule => rule.pattern === pattern)
  const found = yield* violationsOf(handle.journal, { id: '', rules }, undefined, head!, ['strict'])
  if (found.length > 0) {
    const violations = found.map(({ enforcement: _, ...violation }) => violation)
    const ref = branchRef(handle.branch)
    throw yield* redactViolation(handle, { ref }, repoError('schema-violation', { violations }))
  }
}

/** Opaque schemas are compared by their library, because each call makes a new id. */
function attachRequest(handle: Handle, { pattern, record }: PreparedSchema, why: Why): Request | undefined {
  const { enforcement } = record
  const schema = 'schema' in record ? { schema: record.schema as Stored } : { vendor: record.opaque.vendor }
  return requestOf(handle, why, 'attach-schema', [pattern, enforcement, schema])
}

function* detach(handle: Handle, pattern: string, given: Why): Work<Written> {
  const why = copyGiven(given)
  const request = requestOf(handle, why, 'detach-schema', [pattern])
  const done = yield* findWritten(handle, request)
  if (done !== undefined) return done
  yield* assertMayChange(handle, pattern)
  return yield* change(handle, { detach: pattern }, why, request)
}

/** Lands a change of schemas. It is refused when the state violates them. */
function* change(handle: Handle, wanted: SchemaChange, why: Why, request: Request | undefined): Work<Written> {
  const { journal, branch } = handle
  assertCategory(why, 'Migrate')
  const prepare = function* (head: StoredCommit | undefined): Work<Prepared<undefined>> {
    const reason = yield* completeReason(handle, why, 'Migrate')
    if (head === undefined && branch !== mainBranch) throw yield* refNotFound(handle, branch)
    const empty = rootOf(journal.context, {}, 0)
    const system = yield* withSchemas(journal, head?.system ?? empty, [wanted])
    if (head !== undefined && system.id === head.system.id) return { kind: 'unchanged', result: undefined }
    const landing = {
      tree: head?.tree ?? empty,
      system,
      info: reason.info,
      ...detailLink(handle, reason),
      changesMeta: true,
    }
    return { kind: 'landing', landing, result: undefined }
  }
  return yield* writtenOn(handle, yield* landOn(handle, branchRef(branch), prepare, request))
}

function* report(handle: Handle, given: unknown): Work<SchemaReport> {
  yield* assertReads(handle, ['_meta', 'schemas'])
  const { journal } = handle
  const rules = yield* rulesOf(handle)
  if (given === undefined) {
    yield* assertReads(handle, [])
    // Reading the whole state does not include plans.
    if (rules.some(({ glob: { parts } }) => parts[0]?.kind === 'key' && parts[0].key === plansKey)) {
      yield* assertReads(handle, [plansKey])
    }
  }
  const head = yield* findBranchHead(handle)
  const empty = rootOf(journal.context, {}, 0)
  const none = { tree: empty, system: empty }
  const state = given === undefined ? (head ?? none) : { ...none, tree: stateOf(handle, given) }
  const all = ['strict', 'warn', 'off'] as const
  const unknown = rules.filter(({ record }) => 'opaque' in record && findOpaque(journal, record) === undefined)
  return {
    violations: yield* violationsOf(journal, { id: '', rules }, undefined, state, all),
    unchecked: unknown.map(({ pattern }) => pattern),
  }
}

/** A value as the root of a state, in memory. */
function stateOf({ journal: { context } }: Handle, value: unknown): Link {
  const stored = encode(value, { classes: context.classes })
  if (!isStoredMap(stored)) throw treeError('root-not-a-map', { type: Array.isArray(value) ? 'list' : typeof value })
  return rootOf(context, stored, 0)
}
