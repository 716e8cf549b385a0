/** What `ref` and `refs` promise: names as they are, listed by prefix in the order of code points. */
import { compareNames } from '../store/contract/names.ts'
import { checkEqual } from './check.ts'
import { type ConformanceCase, logCase } from './conformance-case.ts'
import { sampleEntry } from './samples.ts'

const names = [
  'branch/main',
  'branch/feature/net',
  'branch/Feature',
  'branch/',
  'branch',
  'branch0',
  'tag/v1',
  'tag/\uFFEE',
  'tag/😀',
  'tag/\u{10FFFF}',
  'tag/é',
  'with space and "quotes" and \'single\'',
  '%_wild*card?',
  'zero\u0000inside',
  'a/b~1c~0',
]

export const refCases: readonly ConformanceCase[] = [
  logCase('refs are listed by prefix, sorted by code points, whatever their names, and in parts', async log => {
    const moves = names.map(name => ({ name, expect: null, to: { entry: 0 } }))
    await log.append({ time: 1, entries: [sampleEntry('a')], moves })
    for (const prefix of [
      '',
      'branch',
      'branch/',
      'branch/f',
      'tag/',
      'tag/\uFFEE',
      'tag/\u{10FFFF}',
      'zero',
      '%',
      'nothing',
    ]) {
      const expected = names.filter(name => name.startsWith(prefix)).sort(compareNames)
      const found = await log.refs(prefix)
      checkEqual(
        found,
        expected.map(name => ({ name, seq: 1 })),
        `the refs beginning with "${prefix}"`,
      )
      for (const after of ['', prefix, ...names]) {
        const rest = expected.filter(name => compareNames(name, after) > 0)
        for (const limit of [0, 1, 2, 99]) {
          const part = (await log.refs(prefix, { after, limit })).map(({ name }) => name)
          checkEqual(part, rest.slice(0, limit), `${limit} of the refs beginning with "${prefix}" after "${after}"`)
        }
      }
    }
    for (const name of names) checkEqual(await log.ref(name), 1, `the ref "${name}"`)
  }),

  logCase('refs whose names differ only in case or in trailing characters are different', async log => {
    const moves = ['a', 'A', 'a ', 'a/', 'á', 'a\u0301', 'a\u0000'].map((name, i) => ({
      name,
      expect: null,
      to: i + 1,
    }))
    const entries = moves.map(({ name }) => sampleEntry(name))
    await log.append({ time: 1, entries, moves })
    for (const { name, to } of moves) checkEqual(await log.ref(name), to, `the ref "${name}"`)
  }),

  logCase('a ref can be deleted and made again', async log => {
    const move = (expect: number | null, to: number | null) => [{ name: 'main', expect, to }]
    await log.append({ time: 1, entries: [sampleEntry('a')], moves: move(null, 1) })
    await log.append({ time: 1, entries: [sampleEntry('b')], moves: move(1, null) })
    checkEqual(await log.refs(''), [], 'the refs after the deletion')
    checkEqual(
      await log.append({ time: 1, entries: [sampleEntry('c')], moves: move(1, 2) }),
      { kind: 'moved', name: 'main', actual: null },
      'a move that has not heard of it',
    )
    await log.append({ time: 1, entries: [sampleEntry('c')], moves: move(null, 3) })
    checkEqual(await log.refs(''), [{ name: 'main', seq: 3 }], 'the refs at the end')
  }),
]
