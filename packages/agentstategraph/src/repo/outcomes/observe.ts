/**
 * What became of a change: later facts about commits and intents, each an entry that names what it is about.
 *
 * Nothing that was committed is touched. An observed value is kept as its canonical text, because entry texts hold no
 * numbers but integers.
 */

import { canonicalText, coreError, encode, formatPath, hexOfId, parsePath, type Stored } from '../../core/index.ts'
import type { EntryRecord, Work } from '../../store/index.ts'
import { encryptedAt, type TreeContext } from '../../tree/index.ts'
import type { Handle } from '../handle.ts'
import { type Revision, resolve } from '../query/revision.ts'
import { bodyOf } from '../records/entry-bodies.ts'
import { checkedText, millionths } from '../records/info.ts'
import type { Deviation, Observation, Resolution } from '../records/observation.ts'
import { reportedValue } from '../state/decode-value.ts'
import { type AskedFor, recordEntries } from '../write/record-entries.ts'
import { requestsAboutCommit, requestsAboutIntent } from './fact-requests.ts'

const OUTCOMES: readonly string[] = ['fulfilled', 'partial', 'failed', 'deferred']
const IMPACTS: readonly string[] = ['low', 'medium', 'high']
const MAX_TEXT_BYTES = 16 * 1024
const MAX_INTENT_BYTES = 256

/** Records whether what a commit expected came true. The latest observation of a commit counts. */
export function* observe(handle: Handle, revision: Revision, observation: Observation): Work<void> {
  const { held, note, observed, confidence } = observation
  if (typeof held !== 'boolean') throw invalid('held', 'it is neither true nor false')
  const checkedNote = checkedText('note', note, MAX_TEXT_BYTES)
  const { encryption, classes } = handle.journal.context
  const values = (observed ?? []).map(({ path, value }): Stored => {
    const at = parsePath(path)
    return { path: formatPath(at), value: canonicalText(encryptedAt(encryption, at, encode(value, { at, classes }))) }
  })
  const commit = yield* resolve(handle, revision)
  const body = {
    commit: commit.id,
    held,
    ...(checkedNote === undefined ? {} : { note: checkedNote }),
    ...(values.length === 0 ? {} : { observed: values }),
    ...(confidence === undefined ? {} : { confidence: millionths(confidence)! }),
  }
  const named = (observed ?? []).map(({ path }) => parsePath(path))
  const asked = function* (): Work<AskedFor> {
    return { requests: yield* requestsAboutCommit(handle, commit, named), changes: [] }
  }
  yield* recordEntries(handle, asked, [{ kind: 'observe', agent: handle.who.agent, body }])
}

/** Records how an intent ended, and where that is not what was intended. */
export function* resolveIntent(handle: Handle, intent: string, resolution: Resolution): Work<void> {
  const { outcome, summary, deviations = [] } = resolution
  if (!OUTCOMES.includes(outcome)) throw invalid('outcome', `"${outcome}" is none of ${OUTCOMES.join(', ')}`)
  const body = {
    intent: required('intent', intent, MAX_INTENT_BYTES),
    outcome,
    summary: required('summary', summary, MAX_TEXT_BYTES),
    ...(deviations.length === 0 ? {} : { deviations: deviations.map(storedDeviation) }),
  }
  const asked = function* (): Work<AskedFor> {
    return { requests: yield* requestsAboutIntent(handle, body.intent), changes: [] }
  }
  yield* recordEntries(handle, asked, [{ kind: 'resolve', agent: handle.who.agent, body }])
}

/** The commit (in hex) and the observation that an entry of kind `observe` holds. */
export function readObservation(
  context: TreeContext,
  record: EntryRecord,
): { commit: string; observation: Observation } {
  const { commit, held, note, observed, confidence } = bodyOf(record, 'observe')
  const values = observed?.map(({ path, value }) => ({
    path,
    value: reportedValue(context, JSON.parse(value) as Stored),
  }))
  const observation = {
    held,
    ...(note === undefined ? {} : { note }),
    ...(values === undefined ? {} : { observed: values }),
    ...(confidence === undefined ? {} : { confidence: confidence / 1_000_000 }),
  }
  return { commit: hexOfId(commit), observation }
}

function storedDeviation({ description, reason, impact }: Deviation): Stored {
  if (impact !== undefined && !IMPACTS.includes(impact))
    throw invalid('impact', `"${impact}" is none of ${IMPACTS.join(', ')}`)
  const checkedReason = checkedText("deviation's reason", reason, MAX_TEXT_BYTES)
  return {
    description: required("deviation's description", description, MAX_TEXT_BYTES),
    ...(checkedReason === undefined ? {} : { reason: checkedReason }),
    ...(impact === undefined ? {} : { impact }),
  }
}

function required(field: string, value: string | undefined, maxBytes: number): string {
  return checkedText(field, value ?? '', maxBytes)!
}

function invalid(field: string, reason: string): Error {
  return coreError('option-invalid', { field, reason })
}
