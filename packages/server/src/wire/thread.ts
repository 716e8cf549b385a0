/** Threads of graphs as the wire carries them. */
import type { GraphEvent, GraphPicture, GraphTypes, ThreadState } from 'agentstategraph/graph'
import { z } from 'zod'
import { hashText } from './hash-text.ts'
import { jsonValue, wireValue } from './json-value.ts'
import { given, type Wire } from './wired.ts'

export const threadStatus = z.enum(['idle', 'running', 'paused', 'failed', 'done'])

const errorSchema = z
  .strictObject({
    name: z.string().describe('The name of the error class'),
    message: z.string(),
    code: z.union([z.string(), z.number()]).optional(),
    properties: z.record(z.string(), jsonValue).optional().describe('Other properties, such as a status'),
  })
  .meta({ id: 'TaskError', description: 'The error of a node' })

const threadFields = {
  thread: z.string(),
  commit: hashText,
  timestamp: z.string(),
  state: jsonValue,
  failures: z
    .array(z.strictObject({ node: z.string(), attempt: z.number(), error: errorSchema }))
    .optional()
    .describe('The attempts that failed between this commit and the next'),
}
const next = z.array(z.string()).describe('The nodes that come next')

const interruptSchema = z
  .strictObject({
    id: z.string(),
    node: z.string(),
    payload: jsonValue,
    schema: jsonValue.optional().describe('The JSON Schema of the answer'),
  })
  .meta({ id: 'Interrupt', description: 'What a thread waits for; answer it with resume_thread' })

export const threadStateSchema = z
  .discriminatedUnion('status', [
    z.strictObject({ ...threadFields, status: z.enum(['idle', 'running']), next }),
    z.strictObject({ ...threadFields, status: z.literal('paused'), next, interrupts: z.array(interruptSchema) }),
    z.strictObject({ ...threadFields, status: z.literal('failed'), next, node: z.string(), error: errorSchema }),
    z.strictObject({ ...threadFields, status: z.literal('done'), output: jsonValue }),
  ])
  .meta({ id: 'ThreadState' })

export function wireThreadState(state: ThreadState<GraphTypes>): Wire<typeof threadStateSchema> {
  const { thread, commit, timestamp } = state
  const failures = state.failures?.map(({ node, attempt, error }) => ({ node, attempt, error: wireError(error) }))
  const fields = given({ thread, commit, timestamp, state: wireValue(state.state), failures })
  switch (state.status) {
    case 'paused': {
      const interrupts = state.interrupts.map(({ id, node, payload, schema }) =>
        given({ id, node, payload: wireValue(payload), schema: schema && wireValue(schema) }),
      )
      return { ...fields, status: 'paused', next: state.next, interrupts }
    }
    case 'failed':
      return { ...fields, status: 'failed', next: state.next, node: state.node, error: wireError(state.error) }
    case 'done':
      return { ...fields, status: 'done', output: wireValue(state.output) }
    default:
      return { ...fields, status: state.status, next: state.next }
  }
}

/** Without the stack, which would show the server's file paths to callers. */
function wireError(error: Error): Wire<typeof errorSchema> {
  const { name, message } = error
  const { code } = error as { readonly code?: unknown }
  const own = Object.entries(error).filter(([key]) => !known.has(key))
  return {
    name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(own.length === 0 ? {} : { properties: Object.fromEntries(own.map(([key, value]) => [key, wireValue(value)])) }),
  }
}

const known: ReadonlySet<string> = new Set(['name', 'message', 'stack', 'code', 'cause', 'errors', 'data', 'hint'])

const numbered = { seq: z.number().int(), node: z.string() }

export const threadEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('status'), status: threadStatus }),
    z.strictObject({ ...numbered, kind: z.literal('updates'), update: jsonValue }),
    z.strictObject({
      ...numbered,
      kind: z.literal('tasks'),
      phase: z.enum(['start', 'retry', 'end', 'fail', 'pause']),
      attempt: z.number().int(),
      error: errorSchema.optional(),
    }),
    z.strictObject({ ...numbered, kind: z.literal('messages'), chunk: jsonValue.describe('A part of a message') }),
    z.strictObject({ ...numbered, kind: z.literal('custom'), data: jsonValue }),
  ])
  .meta({ id: 'ThreadEvent' })

/** The kinds of events that others may follow. */
export const followedKinds = ['updates', 'tasks', 'messages', 'custom'] as const

type Followed = Extract<GraphEvent<GraphTypes>, { readonly kind: (typeof followedKinds)[number] }>

export function wireThreadEvent(event: Followed): Wire<typeof threadEventSchema> {
  const { seq, node } = event
  switch (event.kind) {
    case 'updates':
      return { seq, node, kind: 'updates', update: wireValue(event.update) }
    case 'messages':
      return { seq, node, kind: 'messages', chunk: wireValue(event.chunk) }
    case 'custom':
      return { seq, node, kind: 'custom', data: wireValue(event.data) }
    case 'tasks': {
      const { phase, attempt, error } = event
      return given({ seq, node, kind: 'tasks' as const, phase, attempt, error: error && wireError(error) })
    }
  }
}

export const pictureSchema = z
  .strictObject({
    nodes: z.array(
      z.strictObject({
        name: z.string(),
        metadata: z.record(z.string(), jsonValue),
        join: z.boolean(),
        defer: z.boolean(),
        get subgraph() {
          return pictureSchema.optional()
        },
      }),
    ),
    edges: z.array(
      z.strictObject({
        from: z.string(),
        to: z.string(),
        conditional: z.boolean(),
        label: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'GraphPicture' })

export function wirePicture({ nodes, edges }: GraphPicture): Wire<typeof pictureSchema> {
  return {
    nodes: nodes.map(({ name, metadata, join, defer, subgraph }) => ({
      name,
      metadata: wireValue(metadata) as Record<string, ReturnType<typeof wireValue>>,
      join,
      defer,
      ...(subgraph === undefined ? {} : { subgraph: wirePicture(subgraph) }),
    })),
    edges,
  }
}
