/**
 * Values as texts of PostgreSQL: arrays that are one parameter, and bytes inside a statement.
 *
 * A parameter is passed as text and cast in the statement (`$1::text::bytea[]`), because drivers differ in how they send
 * arrays. An array is a table of the statement (`eachOf`), and is never compared with `= ANY` or `IN`: both can be planned so that the
 * text is parsed for each row of a table.
 */
import { createHash } from 'node:crypto'

/** The bytes of a name. They sort by code points. */
export function nameBytes(name: string): Buffer {
  return Buffer.from(name)
}

export function nameOf(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString()
}

/** Bytes as a constant of a statement. */
export function bytesLiteral(bytes: Uint8Array): string {
  return `'\\x${hexOf(bytes)}'::bytea`
}

/**
 * What a query finds for each value, named `asked`, of an array; as a table `found`. `OFFSET 0` keeps the query apart, so that each value
 * is looked up by the primary key, whatever the server knows of the sizes of tables so far.
 */
export function eachOf(array: string, query: string): string {
  return `unnest(${array}) AS asked CROSS JOIN LATERAL (${query} OFFSET 0) AS found`
}

/** For `::text::bytea[]`. */
export function bytesArray(all: readonly Uint8Array[]): string {
  return `{${all.map(bytes => `"\\\\x${hexOf(bytes)}"`).join(',')}}`
}

/** For `::text::bigint[]`, `::text::int[]` or `::text::float8[]`. */
export function numbersArray(all: readonly (number | null)[]): string {
  return `{${all.map(number => (number === null ? 'NULL' : `${number}`)).join(',')}}`
}

/** For `::text::text[]`. */
export function textsArray(all: readonly (string | null)[]): string {
  return `{${all.map(text => (text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}

/** A text of any length as part of a primary key, in which a tree of PostgreSQL takes 2,700 bytes at most. */
const longestKeyBytes = 255

/** The bytes of a text after a 0, or after a 1 its hash. */
export function keyBytes(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length <= longestKeyBytes) return Buffer.concat([Buffer.of(0), bytes])
  return Buffer.concat([Buffer.of(1), createHash('sha256').update(bytes).digest()])
}

/** A name that stands for the text of a statement, on whichever connection it was prepared. */
export function statementName(text: string): string {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  const name = `asg_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  statementNames.set(text, name)
  return name
}

const statementNames = new Map<string, string>()
