import { expect, it } from 'vitest'
import { errorsOf, isStateError, StateError } from './errors.ts'
import { valueError } from './values/errors.ts'

it('makes an error with code, data, message, hint and cause from the words of a layer', () => {
  const error = errorsOf<{ 'too-late': { by: number } }>({
    'too-late': ({ by }) => [`It is ${by} days too late.`, 'Come earlier.'],
  })
  const cause = new Error('the clock')
  const made = error('too-late', { by: 3 }, { cause })
  expect(made).toBeInstanceOf(StateError)
  expect(made).toMatchObject({ name: 'StateError', code: 'too-late', data: { by: 3 }, hint: 'Come earlier.', cause })
  expect(made.message).toBe('It is 3 days too late.')
})

it('is written to JSON without a hint when it has none', () => {
  expect(JSON.parse(JSON.stringify(new StateError('a-code', { n: 1 }, 'What happened.')))).toEqual({
    code: 'a-code',
    message: 'What happened.',
    data: { n: 1 },
  })
  expect(new StateError('a-code', {}, 'What.', 'Do this.').toJSON()).toHaveProperty('hint', 'Do this.')
})

it('recognises an error of a second copy of the library, and its code', () => {
  class Copy extends Error {
    override readonly name = 'StateError'
    readonly code = 'path-invalid'
  }
  expect(isStateError(new Copy())).toBe(true)
  expect(isStateError(new Copy(), 'path-invalid')).toBe(true)
  expect(isStateError(new Copy(), 'json-invalid')).toBe(false)
})

it('takes nothing else for one of its errors', () => {
  for (const other of [undefined, null, 'StateError', new Error('x'), { name: 'StateError' }, { code: 'x' }]) {
    expect(isStateError(other)).toBe(false)
  }
})

it('names the first ten refused paths, counts the others, and keeps all in the data', () => {
  const refused = Array.from({ length: 12 }, (_, i) => ({ path: `/f/${i}`, type: 'a function', remedy: 'Leave it.' }))
  const error = valueError('value-refused', { refused })
  expect(error.message).toMatch(
    /^12 values cannot be stored: \/f\/0 \(a function\), .*\/f\/9 \(a function\) and 2 more\.$/,
  )
  expect(error.hint).toBe('Leave it.')
  expect(error.data.refused).toHaveLength(12)
})
