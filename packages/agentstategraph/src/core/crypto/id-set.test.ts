import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashText, idOfBytes } from './hash.ts'
import { idSet } from './id-set.ts'

/** Ids that often begin alike, so that they want the same slots. */
const ids = fc
  .array(fc.constantFrom(0, 1, 255), { minLength: 32, maxLength: 32 })
  .map(bytes => idOfBytes(Uint8Array.from(bytes)))

test('a set of ids holds what was added and nothing else', () => {
  fc.assert(
    fc.property(fc.array(ids), fc.array(ids), (added, asked) => {
      const set = idSet()
      const model = new Set(added)
      for (const id of added) set.add(id)
      for (const id of [...added, ...asked]) expect(set.has(id)).toBe(model.has(id))
    }),
  )
})

test('a set of ids grows', () => {
  const set = idSet()
  for (let i = 0; i < 5000; i++) set.add(hashText(String(i)))
  for (let i = 0; i < 5000; i++) expect(set.has(hashText(String(i)))).toBe(true)
  for (let i = 5000; i < 10_000; i++) expect(set.has(hashText(String(i)))).toBe(false)
})
