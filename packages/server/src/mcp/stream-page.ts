/**
 * A stream as the result of a tool: a page of items, and how to continue.
 *
 * A stream that ends is paged by the number of items before the page. An endless one is polled: existing items are returned at
 * once, and the call waits for more only as long as it was told to. The next poll passes the last item's cursor or sequence
 * number in the operation's own field.
 */
import { z } from 'zod'
import { runLimited } from '../host/limited-run.ts'
import type { Operation } from '../operations/operation.ts'
import type { ToolCall } from './tool-call.ts'

const MAX_ITEMS = 1000
const DEFAULT_ITEMS = 100
const MAX_WAIT_MS = 30_000

/** How long a poll waits for existing items: for the first one, and after each item. */
const QUIET_AT_FIRST_MS = 250
const QUIET_MS = 100

const limit = z.number().int().min(1).max(MAX_ITEMS).default(DEFAULT_ITEMS).describe('How many items at most')
const cursor = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional()
  .describe('The next_cursor of the page before')
const waitField = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_MS)
  .default(0)
  .describe('How long to wait for a first item, in milliseconds; longer to find what is rare in a long history')

/** The fields that paging adds to the operation's own. */
export function pageFields(stream: 'events' | 'lines', own: z.ZodObject): Readonly<Record<string, z.ZodType>> {
  const fields = stream === 'lines' ? { limit, cursor } : { limit, wait_ms: waitField }
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in own.shape)))
}

export function pageSchema(item: z.ZodType): z.ZodType {
  return z.strictObject({
    items: z.array(item),
    next_cursor: z
      .string()
      .optional()
      .describe('How to go on: the cursor of the next page; for events, what to give as after'),
  })
}

interface Page {
  readonly items: readonly unknown[]
  readonly next_cursor?: string
}

export async function pageOf(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
  { context, limits, operationContext }: ToolCall,
): Promise<Page> {
  const left = new AbortController()
  const signal = AbortSignal.any([context.mcpReq.signal, left.signal])
  const stream = (await runLimited(operation, limits, operationContext(signal), input)) as AsyncIterable<unknown>
  const most = Number(own['limit'] ?? input['limit'] ?? DEFAULT_ITEMS)
  try {
    return operation.stream === 'lines'
      ? await nextLines(stream, Number(own['cursor'] ?? 0), most)
      : await nextEvents(stream, most, Number(own['wait_ms'] ?? 0), input['after'])
  } finally {
    left.abort()
  }
}

async function nextLines(stream: AsyncIterable<unknown>, skipped: number, most: number): Promise<Page> {
  const items: unknown[] = []
  let seen = 0
  for await (const item of stream) {
    if (items.length === most) return { items, next_cursor: String(seen) }
    if (seen >= skipped) items.push(item)
    seen += 1
  }
  return { items }
}

async function nextEvents(stream: AsyncIterable<unknown>, most: number, waitMs: number, after: unknown): Promise<Page> {
  const items: unknown[] = []
  const events = stream[Symbol.asyncIterator]()
  while (items.length < most) {
    const next = await within(events.next(), items.length === 0 ? Math.max(waitMs, QUIET_AT_FIRST_MS) : QUIET_MS)
    if (next === undefined || next.done === true) break
    items.push(next.value)
  }
  const last = items.at(-1)
  const { seq = after, cursor = seq } = (last ?? {}) as { readonly seq?: unknown; readonly cursor?: unknown }
  return { items, ...(cursor === undefined ? {} : { next_cursor: String(cursor) }) }
}

/** The next item within a time limit; the next poll reads a later item again. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, ms, undefined)
  })
  promise.catch(() => undefined)
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
