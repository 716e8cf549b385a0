import { expect, it } from 'vitest'
import { type Page, pageText } from './pager.ts'

const long = 'line\n'.repeat(30)

function paged(text: string, changes: Partial<Page>): readonly unknown[] {
  const done: unknown[] = []
  pageText(text, {
    isTerminal: true,
    rows: 24,
    env: {},
    write: shown => void done.push(['written', shown.length]),
    run: (command, input, { LESS }) => done.push([command, input.length, LESS]) > 0,
    ...changes,
  })
  return done
}

it('a long answer goes through the pager of the person, or through less', () => {
  expect(paged(long, {})).toEqual([['less', long.length, 'FRX']])
  expect(paged(long, { env: { PAGER: 'more' } })).toEqual([['more', long.length, 'FRX']])
  expect(paged(long, { env: { PAGER: 'more', ASG_PAGER: 'most', LESS: 'S' } })).toEqual([['most', long.length, 'S']])
})

it('what fits, what goes into a pipe, and what nobody wants paged is written as it is', () => {
  const plainly = [['written', long.length]]
  expect(paged('short\n', {})).toEqual([['written', 6]])
  expect(paged(long, { isTerminal: false })).toEqual(plainly)
  for (const env of [{ PAGER: 'cat' }, { PAGER: '' }, { TERM: 'dumb' }]) expect(paged(long, { env })).toEqual(plainly)
})

it('without a pager on this machine nothing is lost', () => {
  expect(paged(long, { run: () => false })).toEqual([['written', long.length]])
})
