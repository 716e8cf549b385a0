import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filterNames, readFilter } from './filter-words.ts'

describe('filters typed as words', () => {
  it.each([
    ['', {}],
    ['traffic spike', { text: 'traffic spike' }],
    ['agent:agent/scaler path:/cluster', { agent: 'agent/scaler', path: '/cluster' }],
    ['confidence:<0.5', { confidence_max: 0.5 }],
    ['confidence:>=0.9 tag:a tag:b', { confidence_min: 0.9, tags: ['a', 'b'] }],
    ['agent:"human/Ann Lee" "out of memory"', { agent: 'human/Ann Lee', text: 'out of memory' }],
    ['path:/cluster exact:yes deviated:no', { path: '/cluster', exact: true, deviated: false }],
    ['since:2026-04-01T00:00:00Z', { since: '2026-04-01T00:00:00.000Z' }],
  ])('%s', (text, fields) => {
    expect(readFilter(text)).toEqual({ fields })
  })

  it.each([
    ['agnet:x', 'is no filter'],
    ['agent:', 'needs a value'],
    ['since:someday', 'is no date'],
    ['confidence:high', 'is no range'],
    ['since:26:00', 'is no date'],
    ['exact:maybe', 'exact:yes'],
  ])('%s is refused with what to write', (text, words) => {
    expect(readFilter(text)).toEqual({ fault: expect.stringContaining(words) })
  })

  it('are all those of the operation query', () => {
    const spec = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const [, section = ''] = /^### query\n(.*?)^### /ms.exec(spec) ?? []
    const fields = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, field]) => field)
    const others = ['ref', 'order', 'text', 'limit', 'cursor', 'namespace']
    const named = [...filterNames].map(name => (name === 'tag' ? 'tags' : name)).filter(name => name !== 'confidence')
    expect(fields.filter(field => !others.includes(field!)).toSorted()).toEqual(
      [...named, 'confidence_min', 'confidence_max'].toSorted(),
    )
  })
})
