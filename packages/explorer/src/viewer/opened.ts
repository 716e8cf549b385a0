/** The bundle that is open in this page: what was found out about it so far. Nothing of it is stored. */
import { signal } from '@preact/signals'
import { type Bundle, openBundle, verifyBundle } from 'agentstategraph/browser/internal'
import { bundleLines } from '../epochs/bundle-lines.ts'
import type { Verdict } from '../source/shapes/store.ts'
import { setSource } from '../source/source.ts'
import { bundleSource } from './bundle-source.ts'

/** What the auditor brings beside the file. */
export interface Pinned {
  readonly keys: readonly string[]
  readonly prior?: string
}

export type Opened =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'working'
      readonly name: string
      readonly what: string
      readonly done: number
      /** Known before the content can be shown. */
      readonly verdict: Verdict | undefined
      cancel(): void
    }
  | { readonly kind: 'failed'; readonly name: string; readonly error: Error }
  | {
      readonly kind: 'here'
      readonly name: string
      readonly verdict: Verdict
      readonly ms: number
      /** Why the content cannot be shown, where it cannot. */
      readonly withheld?: string
    }

export const opened = signal<Opened>({ kind: 'none' })

/** A page has to hold what it shows: larger files are verified, and not read. */
const MOST_SHOWN = 96 * 1024 * 1024

let bundle: Bundle | undefined

/** Verifies a file, and opens it when it holds. */
export async function openFile(file: File, { keys, prior }: Pinned): Promise<void> {
  const leaving = new AbortController()
  const { name } = file
  const options = { keys, ...(prior === undefined ? {} : { prior }) }
  const lines = (what: string): AsyncGenerator<string> =>
    bundleLines(file, {
      signal: leaving.signal,
      onProgress(bytes) {
        const done = file.size === 0 ? 1 : bytes / file.size
        opened.value = { kind: 'working', name, what, done, verdict, cancel: () => leaving.abort() }
      },
    })
  let verdict: Verdict | undefined
  opened.value = { kind: 'working', name, what: 'Verifying', done: 0, verdict, cancel: () => leaving.abort() }
  try {
    await close()
    const began = performance.now()
    const { inventory, ...found } = await verifyBundle(lines('Verifying'), options)
    verdict = inventory === undefined ? found : { ...found, inventory }
    const ms = performance.now() - began
    const withheld = withheldFrom(file, verdict)
    if (withheld === undefined) {
      bundle = await openBundle(lines('Verified. Opening'), options)
      setSource(bundleSource(bundle))
      if (location.hash === '') location.hash = '#/epochs'
    }
    opened.value = { kind: 'here', name, verdict, ms, ...(withheld === undefined ? {} : { withheld }) }
  } catch (error) {
    const isCancelled = leaving.signal.aborted
    opened.value = isCancelled ? { kind: 'none' } : { kind: 'failed', name, error: error as Error }
  }
}

function withheldFrom({ size }: File, { failed, inventory }: Verdict): string | undefined {
  if (failed !== undefined) return 'Its content is not shown, because it proves nothing. Ask for a new export.'
  if (inventory?.profile === 'redacted') return 'It is redacted: commits and states are not in it.'
  if (size > MOST_SHOWN) return 'It is too large to be shown in a page. What was verified above is all of it.'
  return undefined
}

export async function close(): Promise<void> {
  await bundle?.close()
  bundle = undefined
}
