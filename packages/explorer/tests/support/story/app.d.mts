import type { HostOptions } from '@agentstategraph/server'

/** The app of the story: a graph that refunds after a question, and an agent that remembers its customers. */
export const app: NonNullable<HostOptions['apps']>

/** A test that looks at the letter while it is written sets when its end may come. */
export const letter: { mayEnd: Promise<void> }
