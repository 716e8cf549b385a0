/**
 * One element more in a list of 100,000, at its end and at its head, against the same in a list of 100.
 *
 * After each slice the list is cut back to its length, outside the time, so that the small one stays small.
 */
import { join } from 'node:path'
import { encode } from 'agentstategraph/internal'
import { rateRatio, takeTurns } from '../measure.mjs'
import { openOurs } from '../ours.mjs'
import { bytes, oursAtMost, ratioAtMost, time } from '../reach.mjs'

export const name = 'list'

export const reach = { time: ratioAtMost(3), bytes: oursAtMost(8 * 1024, '≤ 8 KB') }

const perSlice = 40

export async function run({ driver, makeFolder, size }) {
  const ways = [
    { words: 'append to', path: ['log', '-'], placeOf: length => length },
    { words: 'insert at the head of', path: ['log', '0'], placeOf: () => 0 },
  ]
  const rows = []
  for (const way of ways) rows.push(...(await measure(way, makeFolder(), driver, size(100_000))))
  return { rows, sides: [{ side: 'ours', driver: driver.name }] }
}

async function measure(way, folder, driver, length) {
  const large = await sideOf('large', way, join(folder, 'large.db'), driver, length)
  const small = await sideOf('small', way, join(folder, 'small.db'), driver, 100)
  const times = await takeTurns([large, small], { slices: 25, warmups: 5 })
  const rows = [
    {
      work: `${way.words} a list of ${length.toLocaleString('en-US')}, against 100`,
      ours: time(times.large),
      other: time(times.small),
      ratio: 1 / rateRatio(times.large, times.small),
      reach: 'time',
    },
    {
      work: 'its bytes written, mean',
      ours: bytes(large.meanBytes()),
      other: bytes(small.meanBytes()),
      reach: 'bytes',
    },
  ]
  await large.close()
  await small.close()
  return rows
}

async function sideOf(name, { path, placeOf }, file, driver, length) {
  const store = await openOurs(file, driver)
  let made = 0
  const makeElement = () => ({ id: made++, state: 'open' })
  store.set(['log'], Array.from({ length }, makeElement))
  const means = []

  function cutBack(count) {
    const last = store.headSeq()
    means.push(store.rowBytes(last - count + 1, last))
    const place = String(placeOf(length))
    store.commit(Array.from({ length: count }, () => ({ op: 'delete', path: ['log', place] })))
  }

  return {
    name,
    count: perSlice,
    prepare(from, count) {
      if (from > 0) cutBack(count)
    },
    run(_from, count) {
      for (let step = 0; step < count; step++) store.commit([{ op: 'insert', path, value: encode(makeElement()) }])
    },
    meanBytes: () => means.reduce((sum, each) => sum + each, 0) / means.length,
    close: store.close,
  }
}
