/** Replaying moves: refs end where the moves put them, and moves that do not match are reported. */
import { describe, expect, it } from 'vitest'
import { refReplay } from './ref-replay.ts'

describe('a replay of moves', () => {
  it('puts refs where the last moves put them', () => {
    const replay = refReplay()
    expect(
      replay.move(2, [
        ['branch/main', null, 0],
        ['tag/a', null, 1],
      ]),
    ).toEqual([])
    expect(
      replay.move(3, [
        ['branch/main', 2, 0],
        ['tag/a', 1, null],
      ]),
    ).toEqual([])
    expect(replay.compare([{ name: 'branch/main', seq: 3 }])).toEqual([])
    expect(replay.compare([]).map(({ where }) => where)).toEqual(['ref branch/main'])
  })

  it('tells of a move from where the ref was not, and of one to an entry that comes later', () => {
    const replay = refReplay()
    expect(replay.move(2, [['branch/main', 1, 0]])).toHaveLength(1)
    expect(replay.move(3, [['branch/main', 2, 9]])).toHaveLength(1)
  })

  it('does not know where refs are after an entry that cannot be read, until they move again', () => {
    const replay = refReplay()
    replay.move(2, [['branch/main', null, 0]])
    replay.skip()
    expect(replay.compare([{ name: 'branch/main', seq: 3 }])).toEqual([])
    expect(replay.move(4, [['branch/main', 3, 0]])).toEqual([])
    expect(replay.compare([{ name: 'branch/main', seq: 3 }])).toHaveLength(1)
  })

  it('takes every place for right that a ref came to since it was told to remember', () => {
    const replay = refReplay()
    replay.move(2, [['branch/main', null, 0]])
    replay.move(3, [['branch/main', 2, 0]])
    replay.remember()
    replay.move(4, [['branch/main', 3, 0]])
    replay.move(5, [['branch/main', 4, 0]])
    const wrongAt = (seq: number): number => replay.compare([{ name: 'branch/main', seq }]).length
    expect([2, 3, 4, 5].map(wrongAt)).toEqual([1, 0, 0, 0])
  })
})
