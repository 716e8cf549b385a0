/** What is in a bundle, counted while it is read: who did how much, of what kinds, and what is not there. */

import type { BundleEntry } from './check-entries.ts'
import { fieldsOf, type Profile } from './format.ts'

export interface Inventory {
  readonly origin: string
  readonly epoch: string
  /** The first entry and the last, which seals the epoch. */
  readonly from: number
  readonly to: number
  readonly profile: Profile
  readonly paths?: readonly string[]
  /** Entries by kind; those whose text is withheld are not among them. */
  readonly kinds: Readonly<Record<string, number>>
  /** Commits by agent, drafts included. */
  readonly agents: Readonly<Record<string, number>>
  /** Entries whose text is withheld, and commits whose states were cleared away before the export. */
  readonly withheld: number
  readonly dropped: number
  /** Values that are stored sealed, and those of them whose key an entry of the bundle says is destroyed. */
  readonly sealed: number
  readonly erased: number
}

export interface Counting {
  entry(entry: BundleEntry): void
  node(text: string): void
  agents(): Readonly<Record<string, number>>
  sealed(): { readonly sealed: number; readonly erased: number }
}

const SEALED = /"\$sealed":\["((?:[^"\\]|\\.)*)"/g

export function counting(): Counting {
  const agents = new Map<string, number>()
  const sealedBy = new Map<string, number>()
  const erased = new Set<string>()
  return {
    entry({ record }) {
      if (record?.commit !== undefined) add(agents, record.agent)
      const key = record?.kind === 'erase' ? fieldsOf(record.body)?.['key'] : undefined
      if (typeof key === 'string') erased.add(key)
    },
    node(text) {
      // Only outside strings does a quotation mark stand without a backslash, so a user's text cannot look like this.
      if (!text.includes('"$sealed"')) return
      for (const [, key] of text.matchAll(SEALED)) add(sealedBy, JSON.parse(`"${key}"`) as string)
    },
    agents: () => Object.fromEntries(agents),
    sealed() {
      let [all, gone] = [0, 0]
      for (const [key, count] of sealedBy) {
        all += count
        if (erased.has(key)) gone += count
      }
      return { sealed: all, erased: gone }
    },
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
