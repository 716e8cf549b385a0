/** Counts the changes of the store while a view that shows them is open: one stream for all views. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { follow } from './source.ts'
import { token } from './token.ts'

const count = signal(0)
export const isLive = signal(false)

/** Views look again at most so often, however many commits come: each look is several requests. */
const PAUSE_MS = 200

/** Looks again after something that was done here: rules and rights are no commits, so the stream does not tell of them. */
export function noteChange(): void {
  count.value += 1
}

/** Ends with the next change. */
export function nextChange(): Promise<void> {
  const now = count.peek()
  return new Promise(resolve => {
    const leave = count.subscribe(changes => {
      if (changes === now) return
      leave()
      resolve()
    })
  })
}

let resting: ReturnType<typeof setTimeout> | undefined
let isMissed = false

function noteEvent(): void {
  if (resting !== undefined) {
    isMissed = true
    return
  }
  isMissed = false
  noteChange()
  resting = setTimeout(() => {
    resting = undefined
    if (isMissed) noteEvent()
  }, PAUSE_MS)
}

let open: { readonly leaving: AbortController; readonly token: string | undefined } | undefined
let readers = 0

function restart(): void {
  open?.leaving.abort()
  const leaving = new AbortController()
  open = { leaving, token: token.value }
  void follow(
    noteEvent,
    state => {
      if (!leaving.signal.aborted) isLive.value = state
    },
    leaving.signal,
  )
}

/** A number that grows with each change of the store, for as long as the component is shown. */
export function useChanges(): number {
  useEffect(() => {
    readers += 1
    if (open === undefined || open.token !== token.value) restart()
    return () => {
      readers -= 1
      // A view that comes in place of the last one goes on with the same stream.
      setTimeout(() => {
        if (readers > 0) return
        open?.leaving.abort()
        open = undefined
        isLive.value = false
      })
    }
  }, [token.value])
  return count.value
}
