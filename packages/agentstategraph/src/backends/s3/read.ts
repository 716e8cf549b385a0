/**
 * Reads entries and packs from where a state says that they lie.
 *
 * Where content was moved meanwhile, the newest manifest is read and the question asked again.
 */
import type {
  Checked,
  Column,
  FoundCommit,
  PartPointer,
  Seen,
  StoredEntry,
  StoredPart,
} from '../../store/contract/backend.ts'
import { backendError } from '../errors.ts'
import type { Chain } from './chain.ts'
import type { Chunks, Content, Piece } from './chunks.ts'
import { isSeen } from './group.ts'
import { decodeHead, type EntryHead } from './segment.ts'
import type { EntryPlace, JournalState } from './state.ts'

/** How often content may be moved while it is looked for. */
const maxReloads = 20
/** How many bytes are asked for together, so that a long range does not fill the memory. */
const maxBytes = 32 * 2 ** 20

export interface Reader {
  entries(from: number, to: number, columns: readonly Column[]): Promise<readonly StoredEntry[]>
  parts(pointers: readonly PartPointer[]): Promise<readonly (StoredPart | undefined)[]>
  find(prefix: string, limit: number): Promise<readonly FoundCommit[]>
  check(seen: Seen | undefined): Promise<Checked>
  leaf(seq: number): Promise<string | undefined>
  /** The bytes of pieces that a state names, after `plan` was asked for them. */
  pieces<P>(
    plan: (state: JournalState) => { readonly pieces: readonly Piece[]; readonly kept: P },
  ): Promise<{ bytes: readonly Uint8Array[]; kept: P }>
}

export function readerOf(chain: Chain, chunks: Chunks): Reader {
  const placed = ({ key, token }: Content, { from, to }: { readonly from: number; readonly to: number }): Piece => {
    return { key: chain.keyOf(key), token, from, to }
  }

  async function pieces<P>(
    plan: (state: JournalState) => { readonly pieces: readonly Piece[]; readonly kept: P },
  ): Promise<{ bytes: readonly Uint8Array[]; kept: P }> {
    for (let tries = 0; tries < maxReloads; tries++) {
      const state = tries === 0 ? await chain.known() : await chain.reload()
      const { pieces: asked, kept } = plan(state)
      const bytes = await chunks.read(asked)
      if (bytes.every(one => one !== undefined)) return { bytes, kept }
    }
    throw backendError('segment-torn', {
      place: chain.namespace,
      key: chain.folder,
      reason: 'an object that its manifest refers to is not there, or is shorter than it was written',
    })
  }

  function placesIn(state: JournalState, from: number, to: number): readonly EntryPlace[] {
    const places: EntryPlace[] = []
    for (let seq = Math.max(from, 1); seq <= Math.min(to, state.seq); seq++) places.push(state.place(seq)!)
    return places
  }

  async function heads(seqs: (state: JournalState) => readonly EntryPlace[]) {
    const { bytes, kept } = await pieces(state => {
      const places = seqs(state)
      return { pieces: places.map(place => placed(place, place)), kept: places }
    })
    return kept.map((place, i) => ({ place, head: decodeHead(bytes[i]!) }))
  }

  async function leaf(seq: number): Promise<string | undefined> {
    const [one] = await heads(state => placesIn(state, seq, seq))
    return one?.head.leaf
  }

  async function entries(from: number, to: number, columns: readonly Column[]): Promise<readonly StoredEntry[]> {
    const state = to <= (chain.state?.seq ?? 0) ? chain.state! : await chain.fresh()
    const last = Math.min(to, state.seq)
    const found: StoredEntry[] = []
    for (let seq = Math.max(from, 1); seq <= last; ) {
      const end = batchEnd(state, seq, last)
      for (const one of await batch(seq, end, columns)) found.push(one)
      seq = end + 1
    }
    return found
  }

  /** The last entry of a batch whose content fits into memory. */
  function batchEnd(state: JournalState, from: number, to: number): number {
    let bytes = 0
    let seq = from
    for (; seq < to; seq++) {
      const place = state.place(seq)
      if (place === undefined) break
      const part = place.pack.parts[0]
      bytes += place.to - place.from + (part === undefined ? 0 : part.to - part.from)
      if (bytes > maxBytes) break
    }
    return seq
  }

  async function batch(from: number, to: number, columns: readonly Column[]): Promise<readonly StoredEntry[]> {
    const withPart = columns.includes('part')
    const { bytes, kept } = await pieces(state => {
      const places = placesIn(state, from, to)
      const own = places.map(place => placed(place, place))
      const firstPart = ({ pack }: EntryPlace): readonly Piece[] =>
        pack.parts.slice(0, 1).map(part => placed(pack, part))
      const parts = withPart ? places.flatMap(firstPart) : []
      return { pieces: [...own, ...parts], kept: places }
    })
    let next = kept.length
    return kept.map(({ seq, pack }, i) => {
      const part = withPart && pack.parts.length > 0 ? bytes[next++] : undefined
      return stored(seq, decodeHead(bytes[i]!), columns, part)
    })
  }

  return {
    entries,
    leaf,
    pieces,
    async parts(pointers) {
      // What is asked for mostly was read a moment ago, and is known.
      const last = pointers.reduce((newest, { seq }) => Math.max(newest, seq), 0)
      if (last > (chain.state?.seq ?? 0)) await chain.fresh()
      const { bytes, kept } = await pieces(state => {
        const found = pointers.map(({ seq, index }) => {
          const pack = state.place(seq)?.pack
          const part = pack?.parts.findLast(({ first }) => first <= index)
          return part && { seq, part, pack: pack! }
        })
        const there = found.filter(one => one !== undefined)
        return { pieces: there.map(({ pack, part }) => placed(pack, part)), kept: found }
      })
      let next = 0
      return kept.map(one => one && { seq: one.seq, first: one.part.first, bytes: bytes[next++]! })
    },
    async find(prefix, limit) {
      if (!/^[0-9a-f]*$/.test(prefix)) return []
      const state = await chain.fresh()
      const found: FoundCommit[] = []
      const proposed = state.proposed(prefix)
      for (let i = 0; i < proposed.length && found.length < limit; i += limit) {
        const seqs = new Set(proposed.slice(i, i + limit))
        const read = await heads(now => [...seqs].flatMap(seq => now.place(seq) ?? []))
        for (const { place, head } of read) {
          if (head.commit?.id.startsWith(prefix) === true) found.push({ seq: place.seq, id: head.commit.id })
        }
      }
      return found.slice(0, limit)
    },
    async check(seen) {
      const state = await chain.fresh()
      const { newest } = state
      if (newest === undefined) return seen === undefined ? { kind: 'same', newest } : { kind: 'replaced' }
      if (seen === undefined) return { kind: 'same', newest }
      const known = seen.seq > newest.seq ? undefined : (state.leafOf(seen.seq) ?? (await leaf(seen.seq)))
      return isSeen(seen, newest.seq, newest.first, known) ? { kind: 'same', newest } : { kind: 'replaced' }
    },
  }
}

function stored(seq: number, head: EntryHead, columns: readonly Column[], part: Uint8Array | undefined): StoredEntry {
  return {
    seq,
    leaf: head.leaf,
    time: head.time,
    text: columns.includes('text') ? head.text : '',
    commit: columns.includes('commit') ? head.commit : undefined,
    part,
  }
}
