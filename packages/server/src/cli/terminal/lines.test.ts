import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOf } from './lines.ts'

async function* cutAt(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('lines of a stream', () => {
  it('are cut at line feeds only, wherever the chunks are cut', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', '\u2028', '\ufeff') })
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const bytes = new TextEncoder().encode(lines.map(text => `${text}\n`).join(''))
        const read = []
        for await (const text of linesOf(cutAt(bytes, size))) read.push(text)
        expect(read).toEqual(lines)
      }),
    )
  })
})
