/**
 * The lines of a client, without those that `JSON.parse` would read as something else than they say.
 *
 * A line that is no JSON goes on: the SDK reports it.
 */
import { Transform } from 'node:stream'
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server'
import { strictMessage } from './strict-message.ts'

const NEW_LINE = 0x0a

/** `onRefused` is called with the message of a refused line and why. */
export function strictLines(onRefused: (message: unknown, error: unknown) => void): Transform {
  let parts: Buffer[] = []
  let length = 0

  function isTaken(line: string): boolean {
    try {
      strictMessage(line)
      return true
    } catch (error) {
      const message = findJson(line)
      if (message === undefined) return true
      onRefused(message, error)
      return false
    }
  }

  function taken(): Buffer {
    const all = Buffer.concat(parts)
    parts = []
    length = 0
    return all
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, from)) {
        parts.push(chunk.subarray(from, at + 1))
        from = at + 1
        const line = taken()
        if (isTaken(line.toString('utf8'))) this.push(line)
      }
      parts.push(chunk.subarray(from))
      length += chunk.length - from
      // The SDK refuses so long a line.
      done(null, length > STDIO_DEFAULT_MAX_BUFFER_SIZE ? taken() : undefined)
    },
    flush(done) {
      done(null, taken())
    },
  })
}

function findJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
