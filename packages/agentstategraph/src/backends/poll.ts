/**
 * Looks at a place at intervals, one look at a time.
 *
 * A failed look is ignored: the listener's own next read fails too, and has a caller that gets the error.
 */
export interface Poll {
  /** Looks now, beside the intervals. */
  now(): void
  stop(): void
}

/**
 * Calls `onChange` after a look finds something else than the one before it. It is called after the first look as well, because something may have
 * come between the beginning of the listener and that look.
 */
export function poll(look: () => Promise<unknown>, everyMs: number, onChange: () => void): Poll {
  let seen: unknown
  let looking: Promise<void> | undefined
  let isStopped = false

  async function lookOnce(): Promise<void> {
    try {
      const found = await look()
      if (found === seen || isStopped) return
      seen = found
      onChange()
    } catch {
      // Ignored, as the header says.
    } finally {
      looking = undefined
    }
  }

  function begin(): void {
    looking ??= lookOnce()
  }

  begin()
  const timer = setInterval(begin, everyMs)
  // A number in a browser, which ends with its page.
  timer.unref?.()
  return {
    now: () => void (looking === undefined ? begin() : looking.then(begin)),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
