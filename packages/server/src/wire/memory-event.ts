/** Events of tasks with a memory as the wire carries them. */
import type { MemoryEvent } from 'agentstategraph/memory'
import { z } from 'zod'
import { jsonValue, wireValue } from './json-value.ts'
import { given, type Wire } from './wired.ts'

export const memoryEventKind = z.enum(['start', 'action', 'output', 'clarify', 'error', 'custom', 'success', 'fail'])

const place = {
  seq: z.number().int(),
  timestamp: z.string(),
  agent: z.string(),
  task: z.string(),
  commit_before: z.string().optional().describe('The newest commit of the memory when the task began'),
  commit_after: z.string().optional().describe('The commit with the result'),
}

export const memoryEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...place, kind: z.literal('start'), input: jsonValue }),
    z.strictObject({
      ...place,
      kind: z.literal('action'),
      thinking: z.string().optional(),
      code: z.string().optional(),
    }),
    z.strictObject({ ...place, kind: z.literal('output'), parts: z.array(jsonValue) }),
    z.strictObject({ ...place, kind: z.literal('clarify'), message: z.string() }),
    z.strictObject({
      ...place,
      kind: z.literal('error'),
      error: z.strictObject({ name: z.string(), message: z.string() }),
      recoverable: z.boolean(),
    }),
    z.strictObject({ ...place, kind: z.literal('custom'), name: z.string(), data: jsonValue }),
    z.strictObject({ ...place, kind: z.literal('success'), result: jsonValue }),
    z.strictObject({ ...place, kind: z.literal('fail'), message: z.string() }),
  ])
  .meta({ id: 'MemoryEvent' })

export function wireMemoryEvent(event: MemoryEvent): Wire<typeof memoryEventSchema> {
  const { seq, timestamp, agent, task, commitBefore, commitAfter } = event
  const at = given({ seq, timestamp, agent, task, commit_before: commitBefore, commit_after: commitAfter })
  switch (event.kind) {
    case 'start':
      return { ...at, kind: 'start', input: wireValue(event.input) }
    case 'action':
      return { ...at, kind: 'action', thinking: event.thinking, code: event.code }
    case 'output':
      return { ...at, kind: 'output', parts: event.parts.map(wireValue) }
    case 'clarify':
      return { ...at, kind: 'clarify', message: event.message }
    case 'error': {
      const { name, message } = event.error
      return { ...at, kind: 'error', error: { name, message }, recoverable: event.recoverable }
    }
    case 'custom':
      return { ...at, kind: 'custom', name: event.name, data: wireValue(event.data) }
    case 'success':
      return { ...at, kind: 'success', result: wireValue(event.result) }
    case 'fail':
      return { ...at, kind: 'fail', message: event.message }
  }
}
