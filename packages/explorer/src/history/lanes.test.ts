import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layLanes } from './lanes.ts'

/** A history, newest first: each commit has up to two parents among the older ones. */
const histories = fc
  .array(fc.tuple(fc.nat(), fc.option(fc.nat(), { nil: undefined })), { minLength: 1, maxLength: 40 })
  .map(links =>
    links.map(([first, second], at) => {
      const older = links.length - 1 - at
      const parents =
        older === 0 ? [] : [first, second].filter(n => n !== undefined).map(n => `${(n % older) + at + 1}`)
      return { id: `${at}`, parents: [...new Set(parents)] }
    }),
  )

describe('lanes', () => {
  it('draw a straight history in one lane', () => {
    const commits = ['c', 'b', 'a'].map((id, at, all) => ({ id, parents: all.slice(at + 1, at + 2) }))
    expect(layLanes(commits, []).map(({ lane }) => lane)).toEqual([0, 0, 0])
  })

  it('lead from every commit to each of its parents, and to nothing else', () => {
    fc.assert(
      fc.property(histories, commits => {
        const rows = layLanes(commits, [])
        const open = new Map<number, string>()
        commits.forEach((commit, at) => {
          const { lane, ending, passing, leaving } = rows[at]!
          const arrives = [...open].filter(([, id]) => id === commit.id).map(([nth]) => nth)
          expect(ending.toSorted()).toEqual(arrives.toSorted())
          for (const nth of arrives) open.delete(nth)
          expect(passing.toSorted()).toEqual([...open.keys()].toSorted())
          expect(open.has(lane)).toBe(false)
          commit.parents.forEach((parent, nth) => {
            expect(open.get(leaving[nth]!) ?? parent).toBe(parent)
            open.set(leaving[nth]!, parent)
          })
        })
        expect(open.size).toBe(0)
      }),
    )
  })

  it('are the same when a history is laid out in pages', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (commits, cut) => {
        const waiting: (string | undefined)[] = []
        const at = cut % (commits.length + 1)
        const paged = [...layLanes(commits.slice(0, at), waiting), ...layLanes(commits.slice(at), waiting)]
        expect(paged).toEqual(layLanes(commits, []))
      }),
    )
  })
})
