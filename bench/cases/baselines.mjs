/**
 * What the other sides cost by themselves: SqliteSaver against the floor of
 * its own bytes, on each driver there is. It shows that the saver is not held
 * back by the driver it is given. Nothing of ours runs here.
 */
import { findBetterSqlite } from '../driver.mjs'
import { openFloor } from '../floor.mjs'
import { openLangGraph } from '../langgraph.mjs'
import { rateRatio, takeTurns } from '../measure.mjs'
import { bytes, rate } from '../reach.mjs'
import { makeState } from '../state.mjs'

export const name = 'baselines'

export const reach = {}

export async function run({ driver, makeFolder }) {
  const outcomes = []
  for (const each of [driver, findBetterSqlite()].filter(Boolean)) outcomes.push(await compare(each, makeFolder()))
  return { rows: outcomes.flatMap(({ rows }) => rows), sides: outcomes.flatMap(({ sides }) => sides) }
}

async function compare(driver, folder) {
  const saver = openLangGraph({ driver, folder })
  const floor = openFloor({ driver, folder, rowBytes: JSON.stringify(makeState()).length })
  const times = await takeTurns([
    { name: 'saver', count: 40, run: saver.run },
    { name: 'floor', count: 40, run: floor.run },
  ])
  await saver.verify()
  const rows = [
    {
      work: 'SqliteSaver put of 100 KB',
      ours: rate(times.saver),
      other: rate(times.floor),
      ratio: rateRatio(times.saver, times.floor),
    },
    { work: 'SqliteSaver bytes per step', ours: bytes(saver.bytesPerStep()), other: bytes(floor.bytesPerStep()) },
  ]
  saver.close()
  floor.close()
  return {
    rows,
    sides: [
      { side: 'SqliteSaver, in the column of ours', driver: saver.driver },
      { side: 'floor, one row of 100 KB', driver: floor.driver },
    ],
  }
}
