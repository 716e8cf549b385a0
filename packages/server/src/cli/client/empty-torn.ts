/** `asg repair --empty-torn`: what has to be done before a store in a bucket, whose newest segment is torn, can be opened. */
import { isS3, s3SettingsFor } from '../../host/store-at.ts'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleText } from '../terminal/visible-text.ts'
import type { StorePlace } from './find-store.ts'

/** Refuses a segment that is whole or that has others after it. */
export async function emptyTornSegment(place: StorePlace, namespace: unknown, terminal: Terminal): Promise<void> {
  if (place.kind === 'server' || !isS3(place.address)) {
    throw usageRefusal('--empty-torn is for a store in a bucket: give its address, s3://…, with --store')
  }
  const { repairTornSegment } = await import('agentstategraph/backends/s3')
  const name = typeof namespace === 'string' ? namespace : 'default'
  const key = await repairTornSegment(place.address, name, await s3SettingsFor(place.address))
  terminal.err(`${visibleText(key)} is empty now: its commits are lost\n`)
}
