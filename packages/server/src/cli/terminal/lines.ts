/** Splits a UTF-8 stream at `\n` only: the lines of a bundle may contain every other separator. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest: string[] = []
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n')
    rest.push(parts[0]!)
    if (parts.length === 1) continue
    yield rest.join('')
    yield* parts.slice(1, -1)
    rest = [parts.at(-1)!]
  }
  const last = rest.join('') + decoder.decode()
  if (last !== '') yield last
}
