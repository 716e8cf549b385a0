/**
 * Sample entries for tests of backends.
 *
 * A backend stores texts without reading them, so these only resemble entries: distinct, repeatable, with commit ids as
 * evenly spread as real ones.
 */
import { hashText, hexOfId } from '../core/crypto/hash.ts'
import type { Append, Log, Move, NewEntry, NewPart, Seen } from '../store/contract/backend.ts'
import { check } from './check.ts'

/** The commit id that the sample entry of a label has. */
export function sampleCommitId(label: number | string): string {
  return hexOfId(hashText(`commit ${label}`))
}

/** An entry with a commit and a pack of one part. */
export function sampleEntry(label: number | string, parts: readonly NewPart[] = [samplePart(0, label)]): NewEntry {
  const text = JSON.stringify({ label, kind: 'commit' })
  return { text, leaf: hashText(text), commit: { id: sampleCommitId(label), text: `["commit",${text}]` }, parts }
}

/** An entry that is no commit and has no pack. */
export function sampleNote(label: number | string): NewEntry {
  const text = JSON.stringify({ label, kind: 'note' })
  return { text, leaf: hashText(text), parts: [] }
}

/** A part whose bytes are derived from its label. */
export function samplePart(first: number, label: number | string, length = 40): NewPart {
  const bytes = new Uint8Array(length)
  const seed = new TextEncoder().encode(hashText(`part ${first} ${label}`))
  for (let i = 0; i < length; i++) bytes[i] = (seed[i % seed.length]! + i) & 0xff
  return { first, bytes }
}

/** A batch of one entry, without moves by default. */
export function sampleAppend(time: number, label: number | string, moves: readonly Move[] = []): Append {
  return { time, entries: [sampleEntry(label)], moves }
}

/** Appends `count` entries labelled from 1, in batches, all with time 1. */
export async function appendSamples(log: Log, count: number): Promise<void> {
  const { seq } = await log.head()
  for (let label = seq + 1; label <= seq + count; label += 50) {
    const entries: NewEntry[] = []
    for (let i = label; i < Math.min(label + 50, seq + count + 1); i++) entries.push(sampleEntry(i))
    await log.append({ time: 1, entries, moves: [] })
  }
}

/** What was seen of a log, which must not be empty. */
export async function seenOf(log: Log): Promise<Seen> {
  const checked = await log.check(undefined)
  check(checked.kind === 'same' && checked.newest !== undefined, 'a journal with entries is checked as an empty one')
  return checked.newest
}
