/**
 * Tells listeners of entries that other tabs add: a message of the tab that wrote, and a look at the heads at intervals for what a
 * message did not reach, such as a tab that was closed right after its write.
 */
import type { ChangeListeners } from '../../store/contract/change-listeners.ts'
import { type Database, type HeadRow, resultOf } from './database.ts'

/** Other tabs are told of a namespace at most so often. */
const ANNOUNCE_MS = 20

export interface Watch {
  /** Tells other tabs that a namespace has a new entry. */
  announce(namespace: string): void
  /** Begins to look, and ends it. */
  start(): void
  stop(): void
  close(): void
}

export function newWatch(database: Database, everyMs: number, listeners: () => ChangeListeners): Watch {
  const channel = new BroadcastChannel(`agentstategraph ${database.name}`)
  channel.onmessage = ({ data }) => listeners().notify(String(data))
  const announced = new Map<string, 'once' | 'again'>()
  let timer: ReturnType<typeof setInterval> | undefined
  let seen: ReadonlyMap<string, number> | undefined
  let isLooking = false
  let isClosed = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    try {
      const heads = await headsOf(database)
      for (const [namespace, seq] of heads) {
        // An entry may have come between the beginning of a listener and the first look.
        if (seen?.get(namespace) !== seq) listeners().notify(namespace)
      }
      seen = heads
    } catch {
      // The listener's own next read fails too, and has a caller that gets the error.
    } finally {
      isLooking = false
    }
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    seen = undefined
  }

  /** The first of many entries is told at once, and then as often as someone could read on. */
  function announce(namespace: string): void {
    if (announced.has(namespace)) {
      announced.set(namespace, 'again')
      return
    }
    announced.set(namespace, 'once')
    channel.postMessage(namespace)
    setTimeout(() => {
      const isMissed = announced.get(namespace) === 'again'
      announced.delete(namespace)
      if (isMissed && !isClosed) announce(namespace)
    }, ANNOUNCE_MS)
  }

  return {
    announce,
    start() {
      void look()
      timer ??= setInterval(() => void look(), everyMs)
    },
    stop,
    close() {
      isClosed = true
      for (const [namespace, told] of announced) if (told === 'again') channel.postMessage(namespace)
      stop()
      channel.close()
    },
  }
}

function headsOf(database: Database): Promise<ReadonlyMap<string, number>> {
  return database.transact(['heads'], 'readonly', async at => {
    const [names, rows] = await Promise.all([
      resultOf(at('heads').getAllKeys()),
      resultOf<HeadRow[]>(at('heads').getAll()),
    ])
    return new Map(rows.map(({ seq }, i) => [String(names[i]), seq]))
  })
}
