/**
 * When to look again at what another process may have changed: once in each turn of the event loop.
 *
 * A process hears of what others do through its event loop, so one look in each turn comes before everything that is done
 * because of such news. Work that never ends its turn looks again after some calls. No clock is needed.
 */

/** Returns a function that tells whether to look now. */
export function everyTurn(maxCalls: number): () => boolean {
  let callsLeft = 0
  let isSameTurn = false
  return () => {
    if (isSameTurn && callsLeft > 0) {
      callsLeft--
      return false
    }
    callsLeft = maxCalls
    if (!isSameTurn) {
      isSameTurn = true
      setImmediate(() => {
        isSameTurn = false
      })
    }
    return true
  }
}
