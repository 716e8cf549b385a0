/**
 * The lanes of a commit graph as text, newest first: one row for each commit, with joins and forks drawn in it.
 *
 * The operation `commit_graph` says which lane each commit is in and which lanes lead to its parents. Here a lane that leads to the
 * commit ends in its row (`╯`), a parent's lane begins there (`╮`), or is joined when it is there already (`┤`).
 */

import { greatestOf, leastOf } from 'agentstategraph/internal'
export interface LaneCommit {
  readonly id: string
  readonly parents: readonly string[]
  readonly lane: number
  readonly parentLanes: readonly number[]
}

/** For each lane, the commit that it leads to. */
type Lanes = readonly (string | undefined)[]

function markOf(lane: number, own: number, change: 'begins' | 'ends' | 'joined'): string {
  const isLeft = lane < own
  if (change === 'begins') return isLeft ? '╭' : '╮'
  if (change === 'ends') return isLeft ? '╰' : '╯'
  return isLeft ? '├' : '┤'
}

function rowText(own: number, before: Lanes, after: Lanes, marks: ReadonlyMap<number, string>): string {
  const reached = [own, ...marks.keys()]
  const [first, last] = [leastOf(reached), greatestOf(reached)]
  const cell = (lane: number): string => {
    if (lane === own) return '●'
    const mark = marks.get(lane)
    if (mark !== undefined) return mark
    const passes = before[lane] !== undefined && after[lane] !== undefined
    if (lane > first && lane < last) return passes ? '┼' : '─'
    return passes ? '│' : ' '
  }
  const width = Math.max(before.length, after.length, last + 1)
  return Array.from({ length: width }, (_, lane) => cell(lane) + (lane >= first && lane < last ? '─' : ' '))
    .join('')
    .trimEnd()
}

/** The row of each commit, in the order given: children before their parents. */
export function laneRows(commits: readonly LaneCommit[]): readonly string[] {
  let lanes: Lanes = []
  return commits.map(({ id, parents, lane: own, parentLanes }) => {
    const before = lanes
    const after: (string | undefined)[] = [...before]
    const marks = new Map<number, string>()
    for (const [lane, leadsTo] of before.entries()) {
      if (leadsTo !== id) continue
      after[lane] = undefined
      if (lane !== own) marks.set(lane, markOf(lane, own, 'ends'))
    }
    for (const [at, lane] of parentLanes.entries()) {
      if (lane !== own) marks.set(lane, markOf(lane, own, after[lane] === undefined ? 'begins' : 'joined'))
      after[lane] = parents[at]
    }
    lanes = after
    return rowText(own, before, after, marks)
  })
}
