/** Messages on their way to the client. Those of one turn of the event loop leave in one write. */
import type { Writable } from 'node:stream'

export interface LineWriter {
  send(text: string): void
  /** How many bytes the client has not read yet. */
  heldBytes(): number
  /** Resolves when everything is written, or cannot be. */
  flushed(): Promise<void>
}

export function writeLines(output: Writable, onDrain: () => void): LineWriter {
  let waiting = ''
  let isBroken = false

  function flush(): void {
    const text = waiting
    waiting = ''
    if (text !== '' && !isBroken) output.write(text, onDrain)
  }

  // Nobody reads any more; the end of the input, or of the parent, tells the rest.
  output.on('error', () => {
    isBroken = true
  })

  return {
    send(text) {
      if (waiting === '') process.nextTick(flush)
      waiting += `${text}\n`
    },
    heldBytes: () => output.writableLength + waiting.length,
    flushed: () =>
      new Promise(resolve => {
        flush()
        if (isBroken) resolve()
        else output.write('', () => resolve())
      }),
  }
}
