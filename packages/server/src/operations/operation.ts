/**
 * What an operation is: one thing that a client can ask for, described once.
 *
 * HTTP routes, MCP tools, CLI commands, OpenAPI and docs/operations.md are generated from operations; none of these surfaces
 * knows an operation by name. An operation knows only where each surface offers it (`route`, `command`, `tools`). A field has the
 * library's name in snake_case, the same on every surface.
 */
import type { Repository } from 'agentstategraph'
import type { Capability } from 'agentstategraph/access'
import type { z } from 'zod'
import { sessionField } from '../wire/fields.ts'
import type { Apps } from './apps.ts'

/** Who calls and what the call may reach. Each call has its own. */
export interface OperationContext {
  /** The repository of a namespace, with the caller's identity and rights, or with those of one of the caller's sessions. */
  repo(namespace?: string | undefined, session?: string | undefined): Promise<Repository>
  /** The namespaces of the store that the caller may see. */
  namespaces(): Promise<readonly string[]>
  /** What concerns the store as a whole; only the operator may use it. */
  readonly storeAdmin: StoreAdmin
  /** Aborts when the caller disconnects; streams stop on it. */
  readonly signal: AbortSignal
  /** The user's code: graphs, migrations and tasks, when the server was given an app. */
  readonly apps?: Apps | undefined
  /** Called with the progress of long work. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total?: number }) => void) | undefined
}

/** What the operator can do with the store as a whole. */
export interface StoreAdmin {
  createNamespace(name: string): Promise<void>
  deleteNamespace(name: string): Promise<void>
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

/** One operation of the table: schemas, route, command, and one call into the library. */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
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
  readonly input: Input
  /** For a stream: one item of it. */
  readonly output: Output
  /** `GET /api/state/{ref}`: fields in braces come from the path, the rest from the query (GET, DELETE) or the body. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  /** `get [path]`, `spec compare <speculations...>`: words, then fields; all other fields are options. */
  readonly command: string
  /** The smallest set of MCP tools that contains it. */
  readonly tools: 'core' | 'standard' | 'all'
  /**
   * Where a server with a worker thread runs it: `worker` for what reads a whole namespace, `main` for what has a body and uses the
   * app, which the worker does not have. Without it, in the worker when the body is large.
   */
  readonly runsIn?: 'worker' | 'main'
  /** `events` continue until the caller disconnects; `lines` end. */
  readonly stream?: 'events' | 'lines' | undefined
  /** At least one; the input passes the schema. */
  readonly examples: readonly { readonly title: string; readonly input: z.input<Input> }[]
  /** One call into the library. A stream returns an async iterable of items. */
  run(context: OperationContext, input: z.output<Input>): Promise<unknown>
}

/** What most operations that read have in common. */
export const reading = { capability: 'read', effect: 'read', idempotent: true } as const

/**
 * Checks an operation's types where it is defined, and erases them for the table.
 *
 * Every operation that writes to a namespace can act in a session. The `session` field is the same everywhere, so it is added
 * here, and the operation receives the session's repository in place of the caller's.
 */
export function operation<Input extends z.ZodObject, Output extends z.ZodType>(
  definition: Omit<Operation<Input, Output>, 'run'> & {
    run(context: OperationContext, input: z.output<Input>): Promise<z.input<Output> | AsyncIterable<z.input<Output>>>
  },
): Operation {
  const forgotten = definition as unknown as Operation
  const { effect, input } = forgotten
  const isInSessions = effect !== 'read' && 'namespace' in input.shape && !('session' in input.shape)
  return isInSessions ? inSessions(forgotten) : forgotten
}

function inSessions(definition: Operation): Operation {
  return {
    ...definition,
    input: definition.input.extend({ session: sessionField }),
    run: (context, { session, ...input }) =>
      definition.run(
        session === undefined ? context : contextIn(context, session as string, input['namespace']),
        input,
      ),
  }
}

/** A session belongs to one namespace; another namespace is read with the caller's own rights. */
function contextIn(context: OperationContext, session: string, home: unknown): OperationContext {
  return { ...context, repo: namespace => context.repo(namespace, namespace === home ? session : undefined) }
}
