/**
 * What an operation is: one thing that a client can ask for, described once.
 *
 * HTTP routes, MCP tools, CLI commands, OpenAPI and docs/operations.md are generated from operations; none of these surfaces
 * knows an operation by name. An operation knows only where each surface offers it (`route`, `command`, `tools`). A field has the
 * library's name in snake_case, the same on every surface.
 */
import type { Repository } from 'agentstategraph'
import type { Capability } from 'agentstategraph/access'
import { z } from 'zod'
import { keyField, namespaceField, sessionField } from '../wire/fields.ts'
import type { Pace } from '../wire/pace/paced-value.ts'
import type { Wire } from '../wire/wired.ts'
import type { Apps } from './apps.ts'
import { type Done, runOnce } from './run-once.ts'

/** Who calls and what the call may reach. Each call has its own. */
export interface OperationContext {
  /** The repository of a namespace, with the caller's identity and rights, or with those of one of the caller's sessions. */
  repo(namespace?: string | undefined, session?: string | undefined): Promise<Repository>
  /** The namespaces of the store that the caller may see. */
  namespaces(): Promise<readonly string[]>
  /** What the surface lets the caller do: everything, only reads, or writes as proposals. */
  readonly mode: 'write' | 'read-only' | 'propose'
  /** What concerns the store as a whole; only the operator may use it. */
  readonly storeAdmin: StoreAdmin
  /** Aborts when the caller disconnects; streams stop on it. */
  readonly signal: AbortSignal
  /** The user's code: graphs, migrations and tasks, when the server was given an app. */
  readonly apps?: Apps | undefined
  /** Awaited between two pieces of work without a repository: it lets others take their turn, and ends what costs too much. */
  readonly pace?: Pace
  /** Called with the progress of long work. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total?: number }) => void) | undefined
}

/** What the operator can do with the store as a whole. */
export interface StoreAdmin {
  createNamespace(name: string, idempotencyKey?: string): Promise<void>
  deleteNamespace(name: string, idempotencyKey?: string): Promise<void>
}

/** The headings of help and docs, in their order. */
export const groups = [
  'state',
  'branches',
  'speculation',
  'history',
  'epochs',
  'sessions',
  'access',
  'plans',
  'schema',
  'graph',
  'memory',
  'store',
] as const

/** One operation of the table, as every surface sees it. */
export interface Operation {
  /** snake_case; with `agentstategraph_` before it, the name of the MCP tool. */
  readonly name: string
  readonly group: (typeof groups)[number]
  /** One line for a person. */
  readonly summary: string
  /** For a model: when to call it, what it returns, what to do next. Constant text. */
  readonly guidance: string
  /** The capability that the caller needs. It is shown here and checked by the library. `none`: every caller may call it. */
  readonly capability: Capability | 'none'
  /** `destructive`: removes something that a later call cannot restore. */
  readonly effect: 'read' | 'write' | 'destructive'
  /** Whether repeating the call changes nothing more, for every input. */
  readonly idempotent: boolean
  readonly input: z.ZodObject
  /** For a stream: one item of it. */
  readonly output: z.ZodType
  /** `GET /api/state/{ref}`: fields in braces come from the path, the rest from the query (GET, DELETE) or the body. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  /** The method of its second route, `/api/state/{path}`. */
  readonly rest?: 'PUT' | 'PATCH' | 'DELETE'
  /** `get [path]`, `spec compare <speculations...>`: words, then fields; all other fields are options. */
  readonly command: string
  /** The smallest set of MCP tools that contains it. */
  readonly tools: 'core' | 'standard' | 'all'
  /**
   * Where a server with a worker thread runs it: `worker` for what reads a whole namespace, `main` for what has a body and uses the
   * app, which the worker does not have. Without it, in the worker when the body is large.
   */
  readonly runsIn?: 'worker' | 'main'
  /** What it may cost: `maintenance` for what reads a whole namespace and is meant to take long; else as every call. */
  readonly cost?: 'maintenance'
  /** `events` continue until the caller disconnects; `lines` end. */
  readonly stream?: 'events' | 'lines' | undefined
  /** At least one; the input passes the schema. */
  readonly examples: readonly { readonly title: string; readonly input: Readonly<Record<string, unknown>> }[]
  /** One call into the library. A stream returns an async iterable of items. */
  run(context: OperationContext, input: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** The fields of an operation's input, by name; others are refused. */
type Fields = Readonly<Record<string, z.ZodType>>
type InputOf<Input extends Fields> = z.output<z.ZodObject<Input>>
type Result<Output extends z.ZodType> = Promise<Wire<Output> | AsyncIterable<Wire<Output>>>
type Ungrouped = Omit<Operation, 'group'>
type Again<Output extends z.ZodType> = Wire<Output> | undefined

/** What is written where an operation is defined. */
interface Definition<Input extends Fields, Output extends z.ZodType>
  extends Omit<Ungrouped, 'idempotent' | 'tools' | 'input' | 'output' | 'examples' | 'run'> {
  /** By default true for what reads and false for what writes. */
  readonly idempotent?: boolean
  /** By default `all`. */
  readonly tools?: Operation['tools']
  /** Made when it is first asked for: a process uses few operations. */
  readonly input: () => Input
  readonly output: () => Output
  readonly examples: readonly { readonly title: string; readonly input: z.input<z.ZodObject<Input>> }[]
}

interface InNamespace<Input extends Fields, Output extends z.ZodType> extends Definition<Input, Output> {
  run(repo: Repository, input: InputOf<Input>, context: OperationContext): Result<Output>
  /**
   * The answer to a repetition under the same idempotency key, which does nothing. Where it cannot be made again, it is left out or
   * gives undefined: the repetition fails with `already-done`.
   */
  again?(
    repo: Repository,
    input: InputOf<Input>,
    done: Done,
    context: OperationContext,
  ): Again<Output> | Promise<Again<Output>>
  /**
   * Whether it makes several appends. `first` carries the key: a repetition begins nothing, and a failure after it is that of the
   * call. With `unkeyed` no one of them can stand for the call, and it takes no key.
   */
  readonly steps?: 'first' | 'unkeyed'
}

interface Global<Input extends Fields, Output extends z.ZodType> extends Definition<Input, Output> {
  run(context: OperationContext, input: InputOf<Input>): Result<Output>
}

/** What most operations that read have in common. */
export const reading = { capability: 'read', effect: 'read' } as const

/**
 * Defines an operation on the repository of a namespace. Its types are checked here and erased for the table.
 *
 * The `namespace` field is the same everywhere, so it is added here. So is the `session` field of operations that write: they
 * then receive the session's repository in place of the caller's. A `session` field of the definition itself has another meaning.
 * So is the `idempotency_key` of a write that is not idempotent and whose call into the library takes none.
 */
export function operation<Input extends Fields, Output extends z.ZodType>(
  definition: InNamespace<Input, Output>,
): Ungrouped
export function operation(definition: InNamespace<Fields, z.ZodType>): Ungrouped {
  const { again: _, steps, ...described } = definition
  const isRepeatable = definition.effect === 'read' || definition.idempotent === true
  const form = made(() => {
    const own = definition.input()
    const actsInSession = definition.effect !== 'read' && !('session' in own)
    const isKeyed = !isRepeatable && steps !== 'unkeyed' && !('idempotency_key' in own)
    const added = {
      namespace: namespaceField,
      ...(actsInSession ? { session: sessionField } : {}),
      ...(isKeyed ? { idempotency_key: keyField } : {}),
    }
    return { actsInSession, isKeyed, fields: { ...own, ...added } }
  })
  return globalOperation<Fields, z.ZodType>({
    ...described,
    input: () => form().fields,
    async run(context, { namespace, ...given }: { namespace?: string; session?: string; idempotency_key?: string }) {
      const { actsInSession, isKeyed } = form()
      const { session, ...rest } = given
      const input = actsInSession ? rest : given
      const repo = await (actsInSession ? context.repo(namespace, session) : context.repo(namespace))
      const { idempotency_key: key, ...unkeyed } = input
      return isKeyed && key !== undefined
        ? (runOnce(definition, key, repo, unkeyed, context) as Promise<never>)
        : definition.run(repo, input, context)
    },
  })
}

/** Defines an operation on the store as a whole, on the app, or on a text that the caller gives. */
export function globalOperation<Input extends Fields, Output extends z.ZodType>(
  definition: Global<Input, Output>,
): Ungrouped
export function globalOperation(definition: Global<Fields, z.ZodType>): Ungrouped {
  const isReading = definition.effect === 'read'
  const input = made(() => z.strictObject(definition.input()))
  const output = made(definition.output)
  return {
    idempotent: isReading,
    tools: 'all',
    ...definition,
    get input() {
      return input()
    },
    get output() {
      return output()
    },
  }
}

/** What is made on the first call, and then kept. */
function made<T>(make: () => T): () => T {
  let known: T | undefined
  return () => (known ??= make())
}

/** Gives operations the heading under which help and docs show them. */
export function inGroup(group: Operation['group'], operations: readonly Ungrouped[]): readonly Operation[] {
  // Copied they would make their schemas.
  return operations.map(operation => Object.assign(operation, { group }))
}
