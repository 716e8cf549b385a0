/** The stored form of the trails of a position. */

import type { Trail, Trails } from '../../model/run-protocol.ts'

/** Lists instead of objects, because a node may have any name. */
export type StoredTrail = readonly [
  target: string,
  beside: readonly (readonly [node: string, opener: string])[],
  stray?: readonly [node: string, target: string],
]

export function storedTrails(trails: Trails): readonly StoredTrail[] {
  return [...trails].map(([target, { beside, stray }]): StoredTrail => {
    const nodes = [...beside]
    return stray === undefined ? [target, nodes] : [target, nodes, [stray.node, stray.target]]
  })
}

export function trailsFrom(stored: readonly StoredTrail[]): Trails {
  return new Map(
    stored.map(([target, nodes, stray]): [string, Trail] => {
      const beside = new Map(nodes)
      return [target, stray === undefined ? { beside } : { beside, stray: { node: stray[0], target: stray[1] } }]
    }),
  )
}
