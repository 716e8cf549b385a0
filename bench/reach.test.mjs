import { expect, it } from 'vitest'
import { bytes, judge, oursAtMost, rate, ratioAtLeast, ratioAtMost } from './reach.mjs'
import { tableOf } from './table.mjs'

const row = { work: 'work', ours: bytes(10), other: bytes(100) }

it('judges the ratio of ours to the other side', () => {
  expect(judge(row, ratioAtMost(0.1)).met).toBe(true)
  expect(judge(row, ratioAtMost(0.09)).met).toBe(false)
  expect(judge(row, ratioAtLeast(0.1)).met).toBe(true)
  expect(judge(row, ratioAtLeast(0.11)).met).toBe(false)
})

it('prefers a ratio that was measured slice by slice', () => {
  expect(judge({ ...row, ratio: 12 }, ratioAtLeast(10)).met).toBe(true)
})

it('judges a quantity of ours alone', () => {
  expect(judge(row, oursAtMost(10, '≤ 10 B')).met).toBe(true)
  expect(judge(row, oursAtMost(9, '≤ 9 B')).met).toBe(false)
})

it('leaves a row without a reach unjudged', () => {
  expect(judge(row, undefined).met).toBeUndefined()
})

it('prints a table that shows what was missed', () => {
  const rows = [
    judge({ ...row, ours: rate({ median: 0.01, best: 0.005 }), ratio: 12.5 }, ratioAtLeast(10)),
    judge(row, ratioAtMost(1 / 12, '≤ 1/12')),
  ]
  expect(tableOf(rows).split('\n')).toEqual([
    '| work | ours             | other or floor | ratio  | reach  | met |',
    '| ---- | ---------------- | -------------- | ------ | ------ | --- |',
    '| work | 100/s (best 200) | 100 B          | 12.50× | ≥ 10×  | yes |',
    '| work | 10 B             | 100 B          | 1/10.0 | ≤ 1/12 | NO  |',
  ])
})
