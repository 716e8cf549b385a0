/** The items of a streamed response: events (SSE), lines of JSON, or plain lines such as those of a bundle. */
import { linesOf } from '../terminal/lines.ts'
import { findRefusal } from './problem-refusal.ts'

/** The data of each event. Comments, which keep a connection open, are skipped. */
async function* eventsOf(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  let data: string[] = []
  let name = ''
  for await (const line of lines) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    if (line.startsWith('event:')) name = line.slice(6).trim()
    if (line !== '') continue
    const item = data.length === 0 ? undefined : JSON.parse(data.join('\n'))
    if (name === 'fault') throw findRefusal(item) ?? new Error('The stream ended with a fault of an unknown form.')
    if (item !== undefined) yield item
    data = []
    name = ''
  }
}

export async function* readItems({ body, headers }: Response): AsyncGenerator<unknown> {
  if (body === null) return
  const type = headers.get('content-type')?.split(';')[0]
  const lines = linesOf(body)
  if (type === 'text/event-stream') yield* eventsOf(lines)
  else if (type === 'application/jsonl') yield* lines
  else for await (const line of lines) yield JSON.parse(line)
}
