/** Counts what a bundle holds while it is read: commits by agent, encrypted and erased values. */

import type { BundleEntry } from './check-entries.ts'
import { fieldsOf, type Profile } from './format.ts'

/** What a bundle holds. */
export interface Inventory {
  readonly origin: string
  readonly epoch: string
  /** The first entry, and the last, which is the seal. */
  readonly from: number
  readonly to: number
  readonly profile: Profile
  readonly paths?: readonly string[]
  /** Entries by kind, without the withheld ones. */
  readonly kinds: Readonly<Record<string, number>>
  /** Commits by agent, drafts included. */
  readonly agents: Readonly<Record<string, number>>
  /** Commits by the names that they were authorised through, as `operator → agent/lead`; the operator's own are under `operator`. */
  readonly chains: Readonly<Record<string, number>>
  /** Entries whose text is withheld, and commits whose states garbage collection dropped before the export. */
  readonly withheld: number
  readonly dropped: number
  /** Encrypted values, and those of them whose key was destroyed by an erasure within the bundle. */
  readonly encrypted: number
  readonly erased: number
}

export interface Counting {
  entry(entry: BundleEntry): void
  node(text: string): void
  agents(): Readonly<Record<string, number>>
  encrypted(): { readonly encrypted: number; readonly erased: number }
}

const ENCRYPTED = /"\$sealed":\["((?:[^"\\]|\\.)*)"/g

export function counting(): Counting {
  const agents = new Map<string, number>()
  const encryptedBy = new Map<string, number>()
  const erased = new Set<string>()
  return {
    entry({ record }) {
      if (record?.commit !== undefined) add(agents, record.agent)
      const key = record?.kind === 'erase' ? fieldsOf(record.body)?.['key'] : undefined
      if (typeof key === 'string') erased.add(key)
    },
    node(text) {
      // Inside a string every quotation mark has a backslash, so the text of a user cannot match.
      if (!text.includes('"$sealed"')) return
      for (const [, key] of text.matchAll(ENCRYPTED)) add(encryptedBy, JSON.parse(`"${key}"`) as string)
    },
    agents: () => Object.fromEntries(agents),
    encrypted() {
      let [all, gone] = [0, 0]
      for (const [key, count] of encryptedBy) {
        all += count
        if (erased.has(key)) gone += count
      }
      return { encrypted: all, erased: gone }
    },
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
