import { describe, expect, it } from 'vitest'
import { progressText } from './progress.ts'

describe('progress', () => {
  it('is a bar with a rate where the end is known, a count where it is not, and time where nothing is', () => {
    expect(progressText('Verify', 2000, 50, 100)).toBe('Verify ████████████░░░░░░░░░░░░ 50% of 100, 25/s, 2 s left')
    expect(progressText('Verify', 2000, 300, 100)).toMatch(/100% of 100, 150\/s$/)
    expect(progressText('Export', 2000, 5, undefined)).toBe('Export … 5 so far, 2.5/s, 2 s')
    expect(progressText('Sweep', 2000, undefined, undefined)).toBe('Sweep … 2 s')
  })
})
