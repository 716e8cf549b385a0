import { expect, it } from 'vitest'
import { keptBytes, writtenBytes } from './compact-apart.ts'

it('knows from the header of a file how much is kept', () => {
  const header = new Uint8Array(100)
  const view = new DataView(header.buffer)
  view.setUint16(16, 4096)
  view.setUint32(28, 1000)
  view.setUint32(36, 400)
  expect(keptBytes(header)).toBe(4096 * 600)
  view.setUint16(16, 1)
  expect(keptBytes(header)).toBe(65536 * 600)
})

it('rises from nothing over the copy to the copy back, whichever of the two can be seen', () => {
  const seen = [
    [0, 0],
    [0, 300],
    [0, 500],
    [100, 500],
    [500, 500],
    [520, 0],
  ] as const
  expect(seen.map(([log, copied]) => writtenBytes(1000, log, copied))).toEqual([0, 300, 500, 600, 1000, 1000])
  expect(writtenBytes(1000, 200, 0)).toBe(700)
})
