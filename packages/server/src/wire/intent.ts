/** The tree of intents as the wire carries it, with commits and resolutions. */
import type { IntentNode } from 'agentstategraph'
import { z } from 'zod'
import { commitSchema, wireCommit } from './commit.ts'
import { resolutionFields, wireResolution } from './observation.ts'

export const intentSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().optional(),
    commits: z.array(commitSchema),
    resolutions: z.array(z.strictObject({ ...resolutionFields, agent: z.string(), timestamp: z.string() })),
    get children() {
      return z.array(intentSchema)
    },
  })
  .meta({ id: 'Intent' })

export function wireIntent(node: IntentNode): z.input<typeof intentSchema> {
  const { id, description, commits, resolutions, children } = node
  return {
    id,
    ...(description === undefined ? {} : { description }),
    commits: commits.map(wireCommit),
    resolutions: resolutions.map(({ agent, timestamp, ...ended }) => ({ ...wireResolution(ended), agent, timestamp })),
    children: children.map(wireIntent),
  }
}
