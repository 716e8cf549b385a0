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

export function progressText(
  title: string,
  seconds: number,
  done: number | undefined,
  total: number | undefined,
): string {
  if (done === undefined) return `${title} … ${seconds} s`
  if (total === undefined || total <= 0) return `${title} … ${done} so far, ${seconds} s`
  const filled = Math.round((Math.min(done, total) / total) * BAR)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
  return `${title} ${bar} ${Math.floor((Math.min(done, total) / total) * 100)}% of ${total}`
}

export function showProgress(title: string, terminal: Terminal): Progress {
  if (!terminal.seen.err || terminal.env['TERM'] === 'dumb') return { step: () => {}, end: () => {} }
  const start = performance.now()
  let drawn = false
  let at: { done?: number; total?: number | undefined } = {}
  const timer = setInterval(() => {
    const ms = performance.now() - start
    if (ms < PATIENCE_MS) return
    drawn = true
    terminal.err(`\r\u001b[2K${progressText(title, Math.round(ms / 1000), at.done, at.total)}`)
  }, REDRAW_MS)
  timer.unref()
  return {
    step(done, total) {
      at = { done, total }
    },
    end() {
      clearInterval(timer)
      if (drawn) terminal.err('\r\u001b[2K')
      drawn = false
    },
  }
}
