/** States and updates as the engine knows them: values by field, of no particular type. */

/** A state as nodes see it: one value for each field, deeply frozen. */
export type State = Readonly<Record<string, unknown>>

/** What a node returns for the fields it changes: for each, the value or what its reducer takes. */
export type Update = Readonly<Record<string, unknown>>
