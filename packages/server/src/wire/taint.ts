/** Taints as the wire carries them. */
import type { Taint } from 'agentstategraph/access'
import { z } from 'zod'
import { endedSchema, wireEnded } from './access.ts'
import { given } from './fields.ts'

export const taintEffects = ['block', 'review', 'isolate', 'warn'] as const
export const severities = ['low', 'medium', 'high'] as const

export const taintSchema = z
  .strictObject({
    id: z.string(),
    path: z.string().describe('A path pattern'),
    effect: z.enum(taintEffects),
    reason: z.string(),
    severity: z.enum(severities).optional(),
    expires: z.string().optional(),
    quarantine: z.boolean().optional(),
    branches: z.array(z.string()).optional(),
    by: z.string(),
    timestamp: z.string(),
    authors: z.array(z.string()).describe('The principals that wrote the values: none of them can release it'),
    released: endedSchema.optional(),
  })
  .meta({ id: 'Taint' })

export function wireTaint({ branches, authors, released, ...rest }: Taint): z.input<typeof taintSchema> {
  return given({
    ...rest,
    branches: branches && [...branches],
    authors: [...authors],
    released: released && wireEnded(released),
  })
}
