/** How a state and its program agree on a shape. What migrations are is not known here. */

/** What tells a store at which version it begins: a registry of migrations. */
export interface Versioning {
  readonly version: number
}
