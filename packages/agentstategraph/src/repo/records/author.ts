/** What a handle fills in when a write does not say. */
export interface Author {
  readonly agent: string
  readonly tags: readonly string[]
  readonly intent: string | undefined
  readonly trace: string | undefined
}
