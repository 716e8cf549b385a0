/** Taints as the wire carries them. */
import { z } from 'zod'
import { endedSchema } from './access.ts'

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
