/** The tree of intents as the wire carries it, with commits and resolutions. */
import type { IntentNode } from 'agentstategraph'
import { z } from 'zod'
import { commitSchema, wireCommit } from './commit.ts'
import { resolutionFields } from './observation.ts'
import { given, type Wire } from './wired.ts'

export const intentSchema = z
  .strictObject({
    id: z.string(),
    description: z.string().optional(),
    parent: z.string().optional().describe('The intent above it, where the chain above is too long to be shown'),
    commits: z.array(commitSchema),
    resolutions: z.array(z.strictObject({ ...resolutionFields, agent: z.string(), timestamp: z.string() })),
    get children() {
      return z.array(intentSchema)
    },
  })
  .meta({ id: 'Intent' })

export function wireIntent({
  id,
  description,
  parent,
  commits,
  resolutions,
  children,
}: IntentNode): Wire<typeof intentSchema> {
  const parts = { commits: commits.map(wireCommit), children: children.map(wireIntent) }
  return given({ id, description, parent, resolutions, ...parts })
}
