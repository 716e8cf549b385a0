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

/** Such as `Verifying ████░░ 42% of 30000, 3100/s, 6 s left`. */
export function progressText(title: string, ms: number, done: number | undefined, total: number | undefined): string {
  const seconds = Math.round(ms / 1000)
  if (done === undefined) return `${title} … ${seconds} s`
  const rate = ms === 0 ? 0 : (done / ms) * 1000
  const pace = `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`
  if (total === undefined || total <= 0) return `${title} … ${done} so far, ${pace}, ${seconds} s`
  const part = Math.min(done, total) / total
  const filled = Math.round(part * BAR)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
  const left = rate === 0 || done >= total ? '' : `, ${Math.ceil((total - done) / rate)} s left`
  return `${title} ${bar} ${Math.floor(part * 100)}% of ${total}, ${pace}${left}`
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
    terminal.err(`\r\u001b[2K${progressText(title, now - start, at.done, at.total)}`)
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
