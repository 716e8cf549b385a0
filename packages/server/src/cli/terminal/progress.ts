/** Shows progress on stderr, only on a terminal, and only for work that takes a while. */
import type { Terminal } from './terminal.ts'

export interface Progress {
  /** Reports the progress; without a total, the amount so far. */
  step(done: number, total?: number): void
  end(): void
}

const PATIENCE_MS = 1000
const REDRAW_MS = 100
const BAR = 24
const SHORTEST_BAR = 6

interface Work {
  readonly title: string
  /** How long it has taken. */
  readonly ms: number
  readonly done?: number | undefined
  readonly total?: number | undefined
}

/** Such as `Verifying ████░░ 42% of 30000, 3100/s, 6 s left`, in one row: of a line that wraps only the last row could be drawn again. */
export function progressText(work: Work, columns: number): string {
  const [before, after] = partsOf(work)
  const { done = 0, total = 0 } = work
  const bar = Math.min(BAR, columns - before.length - after.length - 2)
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * bar) : 0
  const drawn = total > 0 && bar >= SHORTEST_BAR ? ` ${'█'.repeat(filled)}${'░'.repeat(bar - filled)}` : ''
  return `${before}${drawn}${after}`.slice(0, Math.max(1, columns - 1))
}

/** What stands before the bar and after it. */
function partsOf({ title, ms, done, total }: Work): readonly [string, string] {
  const seconds = Math.round(ms / 1000)
  if (done === undefined) return [title, ` … ${seconds} s`]
  const rate = ms === 0 ? 0 : (done / ms) * 1000
  const pace = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`
  if (total === undefined || total <= 0) return [title, ` … ${done} so far, ${pace}, ${seconds} s`]
  const share = Math.floor((Math.min(done, total) / total) * 100)
  const left = rate === 0 || done >= total ? '' : `, ${Math.ceil((total - done) / rate)} s left`
  return [title, ` ${share}% of ${Number(total.toFixed(1))}, ${pace}${left}`]
}

export function showProgress(title: string, terminal: Terminal): Progress {
  if (!terminal.seen.err || terminal.env['TERM'] === 'dumb') return { step: () => {}, end: () => {} }
  const start = performance.now()
  let drawnAt: number | undefined
  let at: { done?: number; total?: number | undefined } = {}
  function draw(): void {
    const now = performance.now()
    if (now - start < PATIENCE_MS || (drawnAt !== undefined && now - drawnAt < REDRAW_MS)) return
    drawnAt = now
    terminal.err(`\r\u001b[2K${progressText({ title, ms: now - start, ...at }, terminal.columns)}`)
  }
  const timer = setInterval(draw, REDRAW_MS)
  timer.unref()
  return {
    step(done, total) {
      // A count of lines says less than a share of the whole.
      if (total === undefined && at.total !== undefined) return
      at = { done, total }
      // Work that keeps the thread busy lets no timer run.
      draw()
    },
    end() {
      clearInterval(timer)
      if (drawnAt !== undefined) terminal.err('\r\u001b[2K')
      drawnAt = undefined
    },
  }
}
