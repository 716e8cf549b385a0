import { describe, expect, it } from 'vitest'
import { progressText } from './progress.ts'

describe('progress', () => {
  it('is a bar with a rate where the end is known, a count where it is not, and time where nothing is', () => {
    const text = (title: string, done?: number, total?: number): string =>
      progressText({ title, ms: 2000, done, total }, 100)
    expect(text('Verify', 50, 100)).toBe('Verify ████████████░░░░░░░░░░░░ 50% of 100, 25/s, 2 s left')
    expect(text('Verify', 300, 100)).toMatch(/100% of 100, 150\/s$/)
    expect(text('Compact (MB)', 20, 99.926016)).toMatch(/20% of 99\.9, 10\/s, 8 s left$/)
    expect(text('Export', 5)).toBe('Export … 5 so far, 2.5/s, 2 s')
    expect(text('Sweep')).toBe('Sweep … 2 s')
  })

  it('is one row of every terminal, and keeps its percentage longer than its bar', () => {
    const title = 'Export a whole repository as lines of text'
    for (let columns = 10; columns <= 200; columns++) {
      for (const done of [undefined, 0, 15_000, 30_001]) {
        for (const total of [undefined, 30_001]) {
          const text = progressText({ title, ms: 4000, done, total }, columns)
          expect(text.length, text).toBeLessThan(columns)
          if (done === 15_000 && total !== undefined && columns >= 80) expect(text).toContain('49% of 30001, 3750/s')
        }
      }
    }
  })
})
