/**
 * An instance of a class that this program has no codec for, in a report.
 *
 * A diff or a search tells of what others wrote, and does not fail because one of their classes is not known here. Only
 * reports hold one: whoever reads a value to work with it is refused, and an unread instance is never stored.
 */
export class UnreadInstance {
  /** The tag of its class. */
  readonly tag: string
  /** What its codec made of it. */
  readonly data: unknown

  constructor(tag: string, data: unknown) {
    this.tag = tag
    this.data = data
  }
}
