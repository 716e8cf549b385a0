import { expect, test } from 'vitest'
import { answer, refusal } from './tool-result.ts'

const commit = { id: '7864f847350d077d', agent: 'agent/a', intent: { description: 'Deploy\non Thursdays' } }

test.each([
  ['a value', { ref: 'main', path: '/a', value: [1] }, '/a at main = [1]'],
  ['a commit', commit, 'Commit 7864f847350d by agent/a: "Deploy\\non Thursdays"'],
  [
    'a commit that was there',
    { ...commit, changed: false },
    'Commit 7864f847350d by agent/a: "Deploy\\non Thursdays" (nothing changed)',
  ],
  [
    'a blamed value',
    { path: '/a', value: 1, ...commit },
    '/a = 1, commit 7864f847350d by agent/a: "Deploy\\non Thursdays"',
  ],
  ['one item', { items: [1] }, 'Do it: 1 item'],
  ['a page', { items: [1, 2], next_cursor: 'x' }, 'Do it: 2 items; more with cursor'],
  ['a list of one', { from: 'main', changes: [1] }, 'Do it: 1 change'],
  [
    'an undo',
    { seq: 9, entry: 7, refs: [{ ref: 'branch', name: 'main' }], commit, changes: [1] },
    'Undid entry 7 on main, commit 7864f847350d: "Deploy\\non Thursdays", 1 change',
  ],
  [
    'a look at an undo',
    { entry: 7, refs: [{ ref: 'branch', name: 'x' }], changes: [] },
    'Would undo entry 7 on x, a move, 0 changes',
  ],
  ['one list', { from: 'main', changes: [] }, 'Do it: 0 changes'],
  [
    'the line of a commit',
    { id: commit.id, agent: 'agent/a', description: 'Deploy' },
    'Commit 7864f847350d by agent/a: "Deploy"',
  ],
  ['a speculation', { id: 'id-1', label: 'NFS', discarded: true }, 'Do it: "NFS"'],
  ['something with a name', { name: 'x', deleted: true }, 'Do it: "x"'],
  ['anything else', { count: 1 }, 'Do it'],
  ['nothing', undefined, 'Do it'],
])('%s has a first line that says what it is', (_, output, line) => {
  expect(answer('Do it', output, '{}').content).toEqual([{ type: 'text', text: `${line}\n{}` }])
})

test('the data is there once, in one text behind the line, and structured content is the same', () => {
  const { content, structuredContent } = answer('Do it', { a: 1, b: undefined }, '{"a":1}')
  expect(structuredContent).toEqual({ a: 1 })
  expect(content).toEqual([{ type: 'text', text: 'Do it\n{"a":1}' }])
})

test('a failure gives code, reason and next step, on lines of our own', () => {
  const { content, isError } = refusal({ code: 'x-y', kind: 'usage', message: 'No\nway', hint: 'Go\nround' })
  expect(isError).toBe(true)
  expect(content[0]).toEqual({ type: 'text', text: 'x-y: No\\u{000a}way\nNext: Go\\u{000a}round' })
})
