import { describe, expect, it } from 'vitest'
import { laneRows } from './lanes.ts'

describe('lanes of a commit graph', () => {
  it('draw a branch that begins, goes on beside the other, and is merged', () => {
    const rows = laneRows([
      { id: 'm', parents: ['b', 'x'], lane: 0, parentLanes: [0, 1] },
      { id: 'b', parents: ['a'], lane: 0, parentLanes: [0] },
      { id: 'x', parents: ['a'], lane: 1, parentLanes: [0] },
      { id: 'a', parents: [], lane: 0, parentLanes: [] },
    ])
    expect(rows).toEqual(['●─╮', '● │', '├─●', '●'])
  })

  it('draw what crosses a lane between', () => {
    const rows = laneRows([
      { id: 'a2', parents: ['a1'], lane: 0, parentLanes: [0] },
      { id: 'b2', parents: ['b1'], lane: 1, parentLanes: [1] },
      { id: 'c1', parents: ['a1'], lane: 2, parentLanes: [0] },
      { id: 'b1', parents: ['a1'], lane: 1, parentLanes: [0] },
      { id: 'a1', parents: [], lane: 0, parentLanes: [] },
    ])
    expect(rows).toEqual(['●', '│ ●', '├─┼─●', '├─●', '●'])
  })

  it('end every lane that leads to a commit', () => {
    const rows = laneRows([
      { id: 'x', parents: ['a'], lane: 0, parentLanes: [0] },
      { id: 'y', parents: ['a'], lane: 1, parentLanes: [1] },
      { id: 'a', parents: [], lane: 0, parentLanes: [] },
    ])
    expect(rows).toEqual(['●', '│ ●', '●─╯'])
  })
})
