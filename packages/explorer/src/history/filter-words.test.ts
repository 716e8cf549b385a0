import { describe, expect, it } from 'vitest'
import { readFilter } from './filter-words.ts'

describe('filters typed as words', () => {
  it.each([
    ['', {}],
    ['traffic spike', { text: 'traffic spike' }],
    ['agent:agent/scaler path:/cluster', { agent: 'agent/scaler', path: '/cluster' }],
    ['confidence:<0.5', { confidence_max: 0.5 }],
    ['confidence:>=0.9 tag:a tag:b', { confidence_min: 0.9, tags: ['a', 'b'] }],
    ['agent:"human/Ann Lee" "out of memory"', { agent: 'human/Ann Lee', text: 'out of memory' }],
    ['since:2026-04-01T00:00:00Z', { since: '2026-04-01T00:00:00.000Z' }],
  ])('%s', (text, fields) => {
    expect(readFilter(text)).toEqual({ fields })
  })

  it.each([
    ['agnet:x', 'is no filter'],
    ['agent:', 'needs a value'],
    ['since:someday', 'is no date'],
    ['confidence:high', 'is no range'],
  ])('%s is refused with what to write', (text, words) => {
    expect(readFilter(text)).toEqual({ fault: expect.stringContaining(words) })
  })
})
