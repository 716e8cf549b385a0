import { expect, test } from 'vitest'
import { joined, readBody } from './read-body.ts'

const limits = { bodyBytes: 2 ** 24, bodyTimeoutMs: 10_000 }

function requestWith(chunks: Iterable<Uint8Array>): Request {
  return new Request('http://localhost/', {
    method: 'POST',
    body: ReadableStream.from(chunks) as ReadableStream<Uint8Array>,
    duplex: 'half',
  })
}

test('a large body is joined in blocks, so that no turn copies much of it, and each can be transferred', async () => {
  const sent = Array.from({ length: 100 }, (_, n) => new Uint8Array(2 ** 16).fill(n))
  const blocks = await readBody(requestWith(sent), limits)
  expect(blocks.map(({ length }) => length)).toEqual([...Array(6).fill(2 ** 20), 4 * 2 ** 16])
  for (const { length, buffer } of blocks) expect(buffer.byteLength).toBe(length)
  expect(Buffer.compare(joined(blocks), Buffer.concat(sent))).toBe(0)
})

test('an empty body has no blocks', async () => {
  expect(await readBody(requestWith([new Uint8Array()]), limits)).toEqual([])
})
