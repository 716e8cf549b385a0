/** What breaks a schema, as errors, commits and reports tell it. */

/** What is wrong with a state by a schema of it. */
export interface Violation {
  readonly path: string
  /** The keyword of the JSON Schema; for an opaque schema, the library that judged. */
  readonly rule: string
  readonly value: unknown
  readonly message: string
  /** The pattern that the schema is attached to. */
  readonly pattern: string
}

/** What a commit says of a schema that only warns. The value is in its state. */
export type SchemaWarning = Omit<Violation, 'value'>
