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
      /** Why the content is not shown, where it is not. */
      readonly withheld?: string
      /** Shows it all the same, where that is possible. */
      show?(): Promise<void>
    }

export const opened = signal<Opened>({ kind: 'none' })

const MEGABYTE = 1024 * 1024

/** A page holds what it shows, four times its size: larger files are opened when their reader asks for it. */
const MOST_SHOWN = 96 * MEGABYTE

let bundle: Bundle | undefined

/** Verifies a file, and opens it when it holds. */
export function openFile(file: File, { keys, prior }: Pinned): Promise<void> {
  const options = { keys, ...(prior === undefined ? {} : { prior }) }
  const { name } = file
  return working(file, undefined, async lines => {
    await close()
    const began = performance.now()
    const { inventory, ...found } = await verifyBundle(lines('Verifying'), options)
    const verdict = inventory === undefined ? found : { ...found, inventory }
    const here = { kind: 'here', name, verdict, ms: performance.now() - began } as const
    const show = (): Promise<void> =>
      working(file, verdict, async lines => {
        bundle = await openBundle(lines('Verified. Opening'), options)
        setSource(bundleSource(bundle))
        if (location.hash === '') location.hash = '#/epochs'
        opened.value = here
      })
    const withheld = withheldFrom(verdict)
    if (withheld !== undefined) opened.value = { ...here, withheld }
    else if (file.size > MOST_SHOWN) opened.value = { ...here, withheld: tooLarge(file), show }
    else await show()
  })
}

/** Reads a file with progress until it was read or its reader cancels. */
async function working(
  file: File,
  verdict: Verdict | undefined,
  read: (lines: (what: string) => AsyncGenerator<string>) => Promise<void>,
): Promise<void> {
  const { name } = file
  const before = opened.value
  const leaving = new AbortController()
  const report = (what: string, done: number): void => {
    opened.value = { kind: 'working', name, what, done, verdict, cancel: () => leaving.abort() }
  }
  try {
    await read(what => {
      report(what, 0)
      const onProgress = (bytes: number): void => report(what, file.size === 0 ? 1 : bytes / file.size)
      return bundleLines(file, { signal: leaving.signal, onProgress })
    })
  } catch (error) {
    // Who cancels keeps the verdict that was there.
    if (!leaving.signal.aborted) opened.value = { kind: 'failed', name, error: error as Error }
    else opened.value = before.kind === 'here' ? before : { kind: 'none' }
  }
}

function withheldFrom({ failed, inventory }: Verdict): string | undefined {
  if (failed !== undefined) return 'Its content is not shown, because it proves nothing. Ask for a new export.'
  if (inventory?.profile === 'redacted') return 'It is redacted: commits and states are not in it.'
  return undefined
}

function tooLarge({ size }: File): string {
  const megabytes = Math.ceil((4 * size) / MEGABYTE / 100) * 100
  return `All of it was verified. To show it, this page needs about ${megabytes} MB of memory.`
}

export async function close(): Promise<void> {
  await bundle?.close()
  bundle = undefined
}
