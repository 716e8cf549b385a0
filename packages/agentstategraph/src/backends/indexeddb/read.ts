/** Reads a namespace in IndexedDB: each call is one transaction, and so one snapshot. */

import type {
  Checked,
  Column,
  FoundCommit,
  PartPointer,
  RefCell,
  RefPart,
  Seen,
  StoredEntry,
  StoredPart,
} from '../../store/contract/backend.ts'
import { compareNames } from '../../store/contract/names.ts'
import { refKey } from './append.ts'
import { commitIndex, type Database, type EntryRow, type HeadRow, resultOf } from './database.ts'

export function headOf(database: Database, namespace: string): Promise<HeadRow | undefined> {
  return database.transact(['heads'], 'readonly', at => resultOf(at('heads').get(namespace)))
}

export async function entriesOf(
  database: Database,
  namespace: string,
  from: number,
  to: number,
  columns: readonly Column[],
): Promise<readonly StoredEntry[]> {
  if (to < from) return []
  const range = IDBKeyRange.bound([namespace, from], [namespace, to])
  const rows = await database.transact(['entries'], 'readonly', at => resultOf<EntryRow[]>(at('entries').getAll(range)))
  return rows.map(({ seq, leaf, time, text, id, commit, part }) => ({
    seq,
    leaf,
    time,
    text: columns.includes('text') ? text : '',
    commit: columns.includes('commit') && id !== undefined ? { id, text: commit! } : undefined,
    part: columns.includes('part') ? part : undefined,
  }))
}

/** The part that holds each pointer's node. */
export function partsOf(
  database: Database,
  namespace: string,
  pointers: readonly PartPointer[],
): Promise<readonly (StoredPart | undefined)[]> {
  return database.transact(['entries', 'parts'], 'readonly', at =>
    Promise.all(
      pointers.map(async ({ seq, index }): Promise<StoredPart | undefined> => {
        const row = await resultOf<EntryRow | undefined>(at('entries').get([namespace, seq]))
        if (row?.part === undefined) return undefined
        const first = row.later?.findLast(begin => begin <= index)
        if (first === undefined) return { seq, first: 0, bytes: row.part }
        return { seq, first, bytes: await resultOf<Uint8Array>(at('parts').get([namespace, seq, first])) }
      }),
    ),
  )
}

/** The commits whose id begins with a prefix, oldest first. */
export async function commitsOf(
  database: Database,
  namespace: string,
  prefix: string,
  limit: number,
): Promise<readonly FoundCommit[]> {
  const range = IDBKeyRange.bound([namespace, prefix], [namespace, `${prefix}\uffff`])
  const rows = await database.transact(['entries'], 'readonly', async at => {
    const found: FoundCommit[] = []
    const request = at('entries').index(commitIndex).openKeyCursor(range)
    for (let cursor = await resultOf(request); cursor !== null; cursor = await resultOf(request)) {
      const [, id] = cursor.key as [string, string]
      const [, seq] = cursor.primaryKey as [string, number]
      found.push({ seq, id })
      cursor.continue()
    }
    return found
  })
  return rows.sort((a, b) => a.seq - b.seq).slice(0, limit)
}

export function refOf(database: Database, namespace: string, name: string): Promise<number | null> {
  return database.transact(['refs'], 'readonly', async at => {
    const ref = await resultOf<RefCell | undefined>(at('refs').get(refKey(namespace, name)))
    return ref?.seq ?? null
  })
}

export function keyOf(database: Database, namespace: string, key: string): Promise<number | null> {
  return database.transact(['keys'], 'readonly', async at => {
    return (await resultOf<number | undefined>(at('keys').get([namespace, key]))) ?? null
  })
}

/** No name in UTF-8 has this byte, so it comes after all that begin alike. */
const LAST_BYTE = 0xff

export function refsOf(
  database: Database,
  namespace: string,
  prefix: string,
  { after, limit }: RefPart = { limit: Number.POSITIVE_INFINITY },
): Promise<readonly RefCell[]> {
  const [, bytes] = refKey(namespace, prefix)
  const end = new Uint8Array(bytes.length + 1)
  end.set(bytes)
  end[bytes.length] = LAST_BYTE
  const isAfter = after !== undefined && compareNames(after, prefix) >= 0
  const begin = isAfter ? refKey(namespace, after) : [namespace, bytes]
  const most = Math.min(limit, 2 ** 32 - 1)
  if (most === 0 || indexedDB.cmp(begin, [namespace, end]) > 0) return Promise.resolve([])
  const range = IDBKeyRange.bound(begin, [namespace, end], isAfter)
  return database.transact(['refs'], 'readonly', at => resultOf<RefCell[]>(at('refs').getAll(range, most)))
}

/** Whether the journal holds what was seen of it, and its newest entry. */
export function checkOf(database: Database, namespace: string, seen: Seen | undefined): Promise<Checked> {
  return database.transact(['heads', 'entries'], 'readonly', async at => {
    const atSeen = seen && resultOf<EntryRow | undefined>(at('entries').get([namespace, seen.seq]))
    const head = await resultOf<HeadRow | undefined>(at('heads').get(namespace))
    if (seen !== undefined && (head?.first !== seen.first || (await atSeen)?.leaf !== seen.leaf))
      return { kind: 'replaced' }
    return { kind: 'same', newest: head && { first: head.first, seq: head.seq, leaf: head.leaf } }
  })
}
