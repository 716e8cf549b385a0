/** What a source answers in place of a result: a stable code, what happened, and what to do. */
export class Refusal extends Error {
  readonly code: string
  readonly hint: string | undefined
  /** Of a conflict: what both sides changed. */
  readonly data: Readonly<Record<string, unknown>>

  constructor(message: string, code: string, hint?: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.hint = hint
    this.data = data
  }
}
