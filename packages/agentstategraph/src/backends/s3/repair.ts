/** The repair of a torn segment for which neither a version nor a copy exists. */
import { randomBytes } from 'node:crypto'
import { backendError } from '../errors.ts'
import type { Chain } from './chain.ts'
import { droppingSegment } from './group.ts'
import type { Bucket } from './requests/bucket.ts'
import { isWhole } from './segment.ts'
import { segmentKey } from './state.ts'

/**
 * Replaces the newest segment of a namespace, which is torn, by an empty one, and gives its key. What it held is lost. Refuses a segment that is whole:
 * then nothing was changed.
 */
export async function replaceTornSegment(bucket: Bucket, chain: Chain): Promise<string> {
  const newest = await chain.newestSegment()
  const key = chain.keyOf(segmentKey(newest))
  const found = newest === 0 ? undefined : await bucket.get(key)
  if (found === undefined || isWhole(found.bytes)) {
    throw backendError('s3-refused', {
      place: bucket.place.name,
      reason: `the newest segment of the namespace "${chain.namespace}" is not torn`,
      remedy: 'Restore the torn one from a version or a copy of the bucket.',
    })
  }
  const state = await chain.stateAt(newest - 1)
  const token = randomBytes(8).toString('hex')
  const context = { namespace: chain.namespace, token, manifest: 0, base: chain.base, leaves: new Map() }
  await bucket.put(key, droppingSegment(state, { dropped: [], ends: false }, context).bytes)
  return key
}
