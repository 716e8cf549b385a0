/**
 * When to look again at what another process may have changed: once in each turn of the event loop.
 *
 * A process hears of what others do through its event loop, so one look in each turn comes before everything that is done
 * because of such news. A turn that does not end looks again after some reads, and sooner after writes. No clock is needed.
 */

/** Whether to look now, before a call that counts as so many reads. */
export type IsDue = (reads?: number) => boolean

/** How many reads of one turn may pass before the next look. */
const readsBetweenLooks = 256
/** As how many reads a write counts. */
export const readsOfWrite = 16

export function everyTurn(): IsDue {
  let readsLeft = 0
  let isSameTurn = false
  return (reads = 1) => {
    readsLeft -= reads
    if (isSameTurn && readsLeft > 0) return false
    readsLeft = readsBetweenLooks
    if (!isSameTurn) {
      isSameTurn = true
      setImmediate(() => {
        isSameTurn = false
      })
    }
    return true
  }
}
