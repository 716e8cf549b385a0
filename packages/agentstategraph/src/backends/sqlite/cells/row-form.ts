/**
 * What the rows of all tables have in common: the bytes of names, and checksums of the cells that no hash covers.
 *
 * Names are bytes because a driver ends a text at its first NUL, and two names that differ only after it must stay two. They
 * begin with a slash because a driver binds empty bytes as NULL, and the empty name is a name.
 *
 * A checksum begins with the namespace and the table, so a row that is found under another namespace or in another table is
 * detected too. Every step is a bijection of the sum: a single changed byte is detected for certain. Tampering is not.
 */
import { storeError } from '../../../store/errors.ts'
import type { SqliteDatabase, SqlValue } from '../module.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every append uses the same few names, so their bytes are cached; a cache is cleared when it has too many. */
const rememberedNames = new Map<string, Uint8Array>()
const rememberedSpaces = new Map<string, Space>()
const maxRemembered = 256

/** The bytes of a name. They are shared and must not be changed. */
export function nameBytes(name: string): Uint8Array {
  const known = rememberedNames.get(name)
  if (known !== undefined) return known
  const bytes = Buffer.from(`/${name}`)
  if (rememberedNames.size >= maxRemembered) rememberedNames.clear()
  rememberedNames.set(name, bytes)
  return bytes
}

/** The name of some bytes. */
export function nameOf(bytes: Uint8Array): string {
  return decoder.decode(bytes).slice(1)
}

/** The upper bound of all names with this prefix: no name contains the byte 255. */
export function endOfPrefix(prefix: string): Uint8Array {
  return Buffer.concat([nameBytes(prefix), Uint8Array.of(255)])
}

/** The name of the row that says how far a table is written. Other names are longer. */
export const markName: Uint8Array = Uint8Array.of(0)

/** The same in statements. */
export const markLiteral = "x'00'"

/**
 * Prepares a statement whose rows are lists of values in the order of the columns. For thousands of rows, making an object
 * of each takes longer than finding them. For a driver that returns only objects, the lists are made from those.
 */
export function preparedLists(
  database: SqliteDatabase,
  sql: string,
): (...values: SqlValue[]) => readonly (readonly unknown[])[] {
  const statement = database.prepare(sql)
  if (statement.setReturnArrays === undefined)
    return (...values) => statement.all(...values).map(row => Object.values(row as object))
  statement.setReturnArrays(true)
  return (...values) => statement.all(...values) as unknown[][]
}

/** The tables of names with a number each. */
export const namedTables = ['refs', 'keys', 'ids', 'counts'] as const
export type NamedTable = (typeof namedTables)[number]

const summedTables = ['refs', 'keys', 'ids', 'counts', 'entries', 'terms', 'hashes'] as const

/** A namespace as rows see it. */
export interface Space {
  readonly name: string
  readonly bytes: Uint8Array
  /** The sums that the checksums of the rows of each table begin with. */
  readonly sums: Readonly<Record<(typeof summedTables)[number], number>>
}

export function spaceOf(name: string): Space {
  const known = rememberedSpaces.get(name)
  if (known !== undefined) return known
  const bytes = nameBytes(name)
  const begun = addBytes(0x811c9dc5 | 0, bytes)
  const sums = Object.fromEntries(summedTables.map(table => [table, addText(begun, table)])) as Space['sums']
  const space = { name, bytes, sums }
  if (rememberedSpaces.size >= maxRemembered) rememberedSpaces.clear()
  rememberedSpaces.set(name, space)
  return space
}

const prime = 0x01000193

export function addBytes(sum: number, bytes: Uint8Array): number {
  let added = sum
  for (let i = 0; i < bytes.length; i++) added = Math.imul(added ^ bytes[i]!, prime)
  return added
}

/** Adds the code units of a text. */
function addText(sum: number, text: string): number {
  let added = sum
  for (let i = 0; i < text.length; i++) added = Math.imul(added ^ text.charCodeAt(i), prime)
  return added
}

/** Adds an integer of at most 53 bits as two words, the lower one first. */
export function addNumber(sum: number, value: number): number {
  return Math.imul(Math.imul(sum ^ value, prime) ^ Math.floor(value / 2 ** 32), prime)
}

/** The checksum of a sum: 32 bits, spread by the finisher of MurmurHash3. */
export function finishSum(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** The checksum of a name with its number. */
export function sumOfValue({ sums }: Space, table: NamedTable, name: Uint8Array, value: number): number {
  return finishSum(addNumber(addBytes(sums[table], name), value))
}

/** The value of a row; -1 when there is no row, and the second index has one. In the statement, `n` is the namespace. */
export function valueOrHidden(table: NamedTable, row: string, name: string): string {
  return `coalesce(${row}.value, (
    SELECT -1 FROM ${table} i INDEXED BY ${table}_again WHERE i.namespace = n.id AND i.name = ${name}))`
}

/** What the tables are called in errors. */
const contents: Readonly<Record<NamedTable, string>> = {
  refs: 'list of refs',
  keys: 'index of idempotency keys',
  ids: 'index of commit ids',
  counts: 'query index',
}

/**
 * The value that was read of a row. Throws when it is not the one that was written, and when the row is hidden. The cells of
 * damaged rows may be of any type.
 */
export function checkedValue(
  space: Space,
  table: NamedTable,
  name: unknown,
  value: unknown,
  checksum: unknown,
): number {
  if (name instanceof Uint8Array && isCount(value) && checksum === sumOfValue(space, table, name, value)) return value
  const fault = value === -1 ? 'is missing' : 'does not have the checksum that it was written with'
  throw damagedRows(space, table, `${shownRow(table, name)} ${fault}`)
}

/** The error for damaged rows. */
export function damagedRows(space: Space, table: NamedTable, reason: string): Error {
  return storeError('derived-corrupt', { namespace: space.name, what: contents[table], reason })
}

/** A row in words. */
function shownRow(table: NamedTable, name: unknown): string {
  if (!(name instanceof Uint8Array) || name.length === 1) return 'its mark'
  return table === 'refs' || table === 'keys' ? `"${nameOf(name)}"` : 'a row'
}

/** The cells of an entry that its checksum covers. */
export interface EntryCells {
  readonly leaf: string
  readonly time: number
  readonly commitId: string | null
  readonly later: number | null
  readonly hasPart: boolean
}

export function sumOfEntry({ sums }: Space, seq: number, { leaf, time, commitId, later, hasPart }: EntryCells): number {
  const cells = addText(addNumber(addNumber(sums.entries, seq), time), leaf)
  const commit = commitId === null ? cells : addText(cells, commitId)
  // An absent number and an absent commit are told from present ones by the flags.
  const flags = (commitId === null ? 0 : 1) + (later === null ? 0 : 2) + (hasPart ? 4 : 0)
  return finishSum(addNumber(addNumber(commit, later ?? 0), flags))
}

/** Whether a cell holds a number that a program of ours can have written. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
