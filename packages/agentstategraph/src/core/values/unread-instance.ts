/**
 * An instance of a class for which this program has no codec, in a report.
 *
 * Diffs and searches report what other programs wrote, and do not fail because a class is unknown here. Only reports hold
 * unread instances: other reads are refused, and an unread instance is never stored.
 */
export class UnreadInstance {
  /** The tag of its class. */
  readonly tag: string
  /** The data that its codec encoded. */
  readonly data: unknown

  constructor(tag: string, data: unknown) {
    this.tag = tag
    this.data = data
  }
}
