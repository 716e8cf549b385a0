/**
 * A request with a key, carried by the one append that a handle makes for it.
 *
 * Writes whose options have no key get one in this way. It does not know what the write is, nor what it answers.
 */

import type { EntryRequest, Journal } from '../../store/index.ts'

export interface Once {
  /** The key as the caller gave it. */
  readonly given: string
  readonly request: EntryRequest
  /** The id of what the write makes, so that a repetition knows it. */
  readonly id: string
  /** Whether an append has carried it. */
  isCarried: boolean
}

/** The id of what a write makes. */
export function newId({ journal, once }: { readonly journal: Journal; readonly once?: Once | undefined }): string {
  return once?.id ?? journal.ids()
}
