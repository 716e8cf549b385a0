/**
 * What an operation is: one thing that a client can ask for, said once.
 *
 * HTTP routes, MCP tools, CLI commands, OpenAPI and docs/operations.md are all made from these; none of them knows an operation
 * by name. An operation knows nothing of them beside where it is found (`route`, `command`, `tools`). Field names are those
 * of the wire: snake_case, the same on every surface.
 */
import type { Repository } from 'agentstategraph'
import type { Capability } from 'agentstategraph/access'
import type { z } from 'zod'
import { sessionField } from '../wire/fields.ts'
import type { Apps } from './apps.ts'

/** Whose call this is and what it may reach; made anew for each call. */
export interface OperationContext {
  /** A namespace as the caller may use it, signed with the caller's name; or as a session of the caller's may. */
  repo(namespace?: string | undefined, session?: string | undefined): Promise<Repository>
  /** The namespaces of the store that the caller may see. */
  namespaces(): Promise<readonly string[]>
  /** What concerns the store as a whole; only the operator may use it. */
  readonly storeAdmin: StoreAdmin
  /** Ends what streams when the caller is gone. */
  readonly signal: AbortSignal
  /** What is code and not data, when the server was given an app. */
  readonly apps?: Apps | undefined
  /** Told how far long work is. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total?: number }) => void) | undefined
}

/** What the operator can do with the store as a whole. */
export interface StoreAdmin {
  createNamespace(name: string): Promise<void>
  deleteNamespace(name: string): Promise<void>
}

/** The families that help, docs and tool sets are ordered by. */
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

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** snake_case; with `agentstategraph_` before it, the name of the MCP tool. */
  readonly name: string
  readonly group: (typeof groups)[number]
  /** One line for a person. */
  readonly summary: string
  /** For a model: when to call it, what comes back, what to do next. Constant text. */
  readonly guidance: string
  /** What the caller must be allowed; the library checks it, this tells it. `none`: anybody who may connect. */
  readonly capability: Capability | 'none'
  /** `destructive` takes something away that a later call cannot simply give back. */
  readonly effect: 'read' | 'write' | 'destructive'
  /** Whether the same call a second time changes nothing more, whatever its input. */
  readonly idempotent: boolean
  readonly input: Input
  /** For a stream: one item of it. */
  readonly output: Output
  /** `GET /api/state/{ref}`: fields in braces come from the path, the rest from the query (GET, DELETE) or the body. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  /** `get [path]`, `spec compare <speculations...>`: words, then fields; all other fields are options. */
  readonly command: string
  /** The smallest set of MCP tools that has it. */
  readonly tools: 'core' | 'standard' | 'all'
  /** `events` go on until the caller leaves; `lines` end. */
  readonly stream?: 'events' | 'lines' | undefined
  /** At least one, with input that the schema takes. */
  readonly examples: readonly { readonly title: string; readonly input: z.input<Input> }[]
  /** One call into the library. A stream gives an async iterable of items. */
  run(context: OperationContext, input: z.output<Input>): Promise<unknown>
}

/** What most operations that read have in common. */
export const reading = { capability: 'read', effect: 'read', idempotent: true } as const

/**
 * Checks an operation's types where it is written, and forgets them for the table.
 *
 * Whatever writes to a namespace can be done in a session: that field is the same everywhere, so it is added here, and the
 * operation finds the session's repository in place of the caller's.
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

/** A session is of one namespace: what is read of another is read as the caller. */
function contextIn(context: OperationContext, session: string, home: unknown): OperationContext {
  return { ...context, repo: namespace => context.repo(namespace, namespace === home ? session : undefined) }
}
