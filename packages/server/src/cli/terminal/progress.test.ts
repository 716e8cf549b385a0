import { describe, expect, it } from 'vitest'
import { progressText } from './progress.ts'

describe('progress', () => {
  it('is a bar where the end is known, a count where it is not, and time where nothing is', () => {
    expect(progressText('Verify', 2, 50, 100)).toBe('Verify ████████████░░░░░░░░░░░░ 50% of 100')
    expect(progressText('Verify', 2, 300, 100)).toMatch(/100% of 100$/)
    expect(progressText('Export', 2, 50, undefined)).toBe('Export … 50 so far, 2 s')
    expect(progressText('Sweep', 2, undefined, undefined)).toBe('Sweep … 2 s')
  })
})
