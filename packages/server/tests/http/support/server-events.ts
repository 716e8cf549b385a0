/** Reads a stream of server-sent events as a client does, one at a time. */
import type { Json } from './open-app.ts'

export interface ServerEvent {
  readonly id: string
  readonly event: string
  readonly data: Json
}

export interface ServerEvents {
  next(): Promise<ServerEvent>
  /** The next line that only keeps the connection open. */
  comment(): Promise<string>
  /** Everything until the server ends the stream. */
  rest(): Promise<string>
  leave(): Promise<void>
}

export function eventsIn(response: Response): ServerEvents {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  async function block(): Promise<string> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const found = text.slice(0, end)
        text = text.slice(end + 2)
        return found
      }
      const { done, value } = await reader.read()
      if (done) throw new Error(`The stream ended with ${JSON.stringify(text)}`)
      text += value
    }
  }

  return {
    async next() {
      for (;;) {
        const found = await block()
        const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(found)?.[1] ?? ''
        if (field('data') !== '') return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) }
      }
    },
    async comment() {
      for (;;) {
        const found = await block()
        if (found.startsWith(':')) return found
      }
    },
    async rest() {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += value
      }
    },
    leave: () => reader.cancel(),
  }
}
