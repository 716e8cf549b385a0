/** Damage in a key-value store: a changed byte of an entry or a part is noticed, named, and never becomes an answer. */
import { expect, it } from 'vitest'
import { kvBackend } from '../../src/backends/index.ts'
import { memoryKV } from '../../src/testing/index.ts'
import { expectNoticed, flipped, placesIn, readAll, somePlacesIn, writeSmallStore, written } from './support/damage.ts'

const places = process.env['ASG_SOAK'] === '1' ? placesIn : somePlacesIn

it.each(Object.entries(written))('a changed byte in entry "%s" or its parts is noticed, and named', async (_, seq) => {
  const content = new Map<string, Uint8Array>()
  const backend = kvBackend(memoryKV(content))
  await writeSmallStore(backend)
  const right = await readAll(backend, seq)
  const keys = [...content.keys()].filter(key => key === `e/default/${seq}` || key.startsWith(`p/default/${seq}/`))
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) {
    const bytes = content.get(key)!
    for (const place of places(bytes.length)) {
      content.set(key, flipped(bytes, place))
      expectNoticed(await readAll(backend, seq), right, seq, `${key}, byte ${place}`)
    }
    content.set(key, bytes)
  }
})
