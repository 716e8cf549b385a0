import type { Repository } from 'agentstategraph'

/** What tests need to know of a told story. */
export interface Told {
  /** Keys by principal. */
  readonly keys: Readonly<Record<string, string>>
}

/** A clock that moves on by itself: every look is some minutes after the last. */
export function storyClock(start?: string, minutes?: number): () => Date

/** Fills a store. Gives what tests need to know of it. */
export function tellStory(repo: Repository): Promise<Told>

/** Proposes once more, on what the branch is now; gives the id of the proposal. */
export function propose(repo: Repository, told: Told): Promise<string>
