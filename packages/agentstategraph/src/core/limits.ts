/**
 * How large values and paths may be.
 *
 * Limits are checked where something comes in; what is stored is never checked against them again, so a smaller limit
 * does not make old data unreadable.
 */

export interface Limits {
  /** Segments of the longest path. Values are walked by recursion, so keep it below a few thousand. */
  readonly depth: number
  /** Bytes of one key, in UTF-8. */
  readonly segmentBytes: number
  /** Bytes of one string, in UTF-8. */
  readonly stringBytes: number
  /** Bytes of one value as canonical text. */
  readonly valueBytes: number
  /** Decimal digits of one bigint. Reading and writing one takes more than linear time. */
  readonly bigintDigits: number
}

/** The limits that hold when none are given. */
export const defaultLimits: Limits = {
  depth: 64,
  segmentBytes: 512,
  stringBytes: 16 * 1024 * 1024,
  valueBytes: 64 * 1024 * 1024,
  bigintDigits: 10_000,
}
