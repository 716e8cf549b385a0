/** How many of one kind, requests or streams, are under way: of each principal, and of all. */
import { serverError } from '../wire/errors.ts'

/** Takes a place and returns the function that frees it. Throws `server-busy` or `too-many-at-once` when there is none. */
export type TakePlace = (principal: string) => () => void

export function placesOf(what: 'requests' | 'streams', each: number, total: number): TakePlace {
  const taken = new Map<string, number>()
  let all = 0

  return principal => {
    if (all >= total) throw serverError('server-busy', { limit: total, what })
    const count = taken.get(principal) ?? 0
    if (count >= each) throw serverError('too-many-at-once', { limit: each, what })
    all++
    taken.set(principal, count + 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      all--
      const left = taken.get(principal)! - 1
      if (left === 0) taken.delete(principal)
      else taken.set(principal, left)
    }
  }
}
