/** Events of the journal as the wire carries them. */
import type { JournalEvent, UndoEvent, UndoneOperation } from 'agentstategraph'
import { z } from 'zod'
import { changeSchema, wireChanges } from './change.ts'
import { commitSchema, wireCommit } from './commit.ts'
import { hashText } from './hash-text.ts'
import { observationSchema, wireObservation } from './observation.ts'
import type { Pace } from './pace/paced-value.ts'
import { given, type Wire } from './wired.ts'

const place = {
  seq: z.number().int().describe('Its sequence number in the journal'),
  cursor: z.string().describe('Pass it as after to continue behind this event'),
  timestamp: z.string(),
  agent: z.string(),
}
const undoes = z.number().int().optional().describe('The entry that this one undoes')

export const journalEventSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...place,
      kind: z.literal('commit'),
      branch: z.string(),
      commit: commitSchema,
      changes: z.array(changeSchema),
      trimmed: z.literal(true).optional().describe('Retention dropped the states that the changes are read from'),
      undoes,
    }),
    z.strictObject({
      ...place,
      kind: z.literal('ref'),
      ref: z.enum(['branch', 'tag']),
      name: z.string(),
      from: z.string().optional().describe('The name it had'),
      before: hashText.optional().describe('The commit it pointed to'),
      after: hashText.optional().describe('The commit it points to'),
      undoes,
    }),
    z.strictObject({
      ...place,
      kind: z.literal('observation'),
      commit: hashText,
      observation: observationSchema,
    }),
    z.strictObject({
      ...place,
      kind: z.literal('epoch'),
      epoch: z.string(),
      status: z.enum(['open', 'sealed', 'archived']),
    }),
  ])
  .meta({ id: 'JournalEvent' })

export type WireEvent = Wire<typeof journalEventSchema>

/** What the journal tells by itself. An undo is told as the commit or the move that it made. */
export type ToldEvent = Exclude<JournalEvent, { readonly kind: 'undo' }>

export async function wireEvent(event: ToldEvent, pace: Pace): Promise<WireEvent> {
  switch (event.kind) {
    case 'commit':
      return { ...event, commit: wireCommit(event.commit), changes: await wireChanges(event.changes, pace) }
    case 'observation':
      return { ...event, observation: wireObservation(event.observation) }
    default:
      return { ...event }
  }
}

export const undoneSchema = z
  .strictObject({
    entry: z.number().int().describe('The entry that is taken back'),
    seq: z.number().int().optional().describe('The entry that takes it back; absent with dry_run'),
    refs: z
      .array(z.strictObject({ ref: z.enum(['branch', 'tag']), name: z.string() }))
      .describe('The branches and tags that are changed'),
    commit: commitSchema.optional().describe('The commit that is taken back'),
    changes: z.array(changeSchema).describe('What the undo changes in the state'),
  })
  .meta({ id: 'Undone' })

export type WireUndone = Wire<typeof undoneSchema>

export async function wireUndone(undone: UndoneOperation & Partial<UndoEvent>, pace: Pace): Promise<WireUndone> {
  const { entry, refs, commit, changes, seq } = undone
  return given({
    entry,
    seq,
    refs,
    commit: commit && wireCommit(commit),
    changes: await wireChanges(changes, pace),
  })
}
