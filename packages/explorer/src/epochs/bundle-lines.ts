/**
 * The lines of a bundle in a file, with their line feeds, read in slices: the page answers between them, and none of the file is kept.
 */

/** A turn of the event loop for others, when this work has filled one. */
const TURN_MS = 12

export interface Reading {
  /** Called with the bytes that were read. */
  readonly onProgress: (bytes: number) => void
  readonly signal: AbortSignal
}

export async function* bundleLines(file: Blob, { onProgress, signal }: Reading): AsyncGenerator<string> {
  // What is no UTF-8 becomes U+FFFD, and then its hash is another one.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = file.stream().getReader()
  let rest = ''
  let bytes = 0
  let began = performance.now()
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      bytes += chunk.value.length
      const lines = decoder.decode(chunk.value, { stream: true }).split('\n')
      // A long line comes in many chunks, and is not searched again with each.
      lines[0] = rest + lines[0]
      rest = lines.pop()!
      if (rest.length > MAX_LINE) {
        yield rest
        return
      }
      for (const line of lines) {
        yield `${line}\n`
        if (performance.now() - began < TURN_MS) continue
        onProgress(bytes)
        await nextTurn()
        signal.throwIfAborted()
        began = performance.now()
      }
      signal.throwIfAborted()
      onProgress(bytes)
    }
    rest += decoder.decode()
    // What does not end is no line. An empty line in its place fails the same check.
    if (rest !== '' || bytes === 0) yield '\n'
  } finally {
    await reader.cancel()
  }
}

/** The longest line that a bundle may have, and a little: the check of lines refuses what is longer. */
const MAX_LINE = 16 * 1024 * 1024 + 16

function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
