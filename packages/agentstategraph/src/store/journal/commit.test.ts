import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalText, hashText, readJson, type Stored } from '../../core/index.ts'
import { type CommitRecord, commitId, commitText, parseCommit } from './commit.ts'

const word = fc.string({ unit: 'binary', maxLength: 20 })
const words = fc.array(word, { minLength: 1, maxLength: 3 })
const id = fc.string().map(hashText)
const ids = fc.array(id, { minLength: 1, maxLength: 3 })

const record = fc.record(
  {
    tree: id,
    system: id,
    parents: fc.array(id, { maxLength: 2 }),
    drafts: ids,
    time: fc.integer({ min: 0, max: 253402300799999 }),
    agent: word,
    principal: word,
    actors: words,
    authority: words,
    session: word,
    intent: fc.record(
      { id: word, parent: word, category: word, description: word, tags: words },
      { requiredKeys: ['id', 'category', 'description'] },
    ),
    reasoning: word,
    confidence: fc.nat(1_000_000),
    detail: id,
    schema: word,
    trace: word,
    merge: fc.constant({ policies: { '/b': 'max', '/a': 'min' } }),
    salt: word,
  },
  { requiredKeys: ['tree', 'system', 'parents', 'time', 'agent', 'intent', 'salt'] },
) as fc.Arbitrary<CommitRecord>

it('a commit text is canonical, is read back as it was, and its id is its hash', () => {
  fc.assert(
    fc.property(record, one => {
      const text = commitText(one)
      expect(canonicalText(readJson(text) as Stored)).toBe(text)
      expect(parseCommit(text)).toEqual(one)
      expect(commitId(text)).toBe(hashText(text))
    }),
  )
})

const plain: CommitRecord = {
  tree: hashText('tree'),
  system: hashText('system'),
  parents: [],
  time: 0,
  agent: 'a',
  intent: { id: 'i', category: 'Refine', description: 'd' },
  salt: 's',
}

it('what is empty is left out of the text as what is absent is', () => {
  const empty = {
    ...plain,
    drafts: [],
    authority: [],
    actors: [],
    intent: { ...plain.intent, tags: [] },
    reasoning: undefined,
  }
  expect(commitText(empty)).toBe(commitText(plain))
})

it.each([-1, 0.5, 1_000_001, Number.NaN])('a confidence of %d millionths is refused', confidence => {
  expect(() => commitText({ ...plain, confidence })).toThrow(
    expect.objectContaining({ code: 'option-invalid', data: expect.objectContaining({ field: 'confidence' }) }),
  )
})

it('a commit text of more than 64 KiB is refused and never cut', () => {
  const sized = (length: number) => commitText({ ...plain, reasoning: 'x'.repeat(length) })
  const most = 65_536 - sized(0).length
  expect(sized(most)).toHaveLength(65_536)
  expect(() => sized(most + 1)).toThrow(expect.objectContaining({ code: 'commit-too-large' }))
})

it.each([1, 9])('a commit text of version %d is refused', version => {
  expect(() => parseCommit(commitText(plain).replace('"v":2', `"v":${version}`))).toThrow(
    expect.objectContaining({ code: 'format-unsupported' }),
  )
})
