/**
 * The records of a bundle and the shapes of their fields: docs/bundle.md in types.
 *
 * A line is a strict text: canonical, with integers only. Hashes in records are base64 with padding; inside the texts of
 * entries, commits and nodes they are base64url. This module knows shapes, not what they prove.
 */

import { canonicalText, findBase64, type Stored } from '../../core/index.ts'
import type { KnownEntryKind } from '../../store/index.ts'

export const bundleFormat = 'agentstategraph-bundle'
export const bundleVersion = 2

/** The most bytes of a line, without its line feed. */
export const maxLineBytes: number = 16 * 1024 * 1024

/** How much of an epoch a bundle holds. */
export type Profile = 'full' | 'log' | 'redacted'

export const profiles: readonly Profile[] = ['full', 'log', 'redacted']

export interface HeaderRecord {
  readonly type: 'header'
  readonly format: string
  readonly version: number
  readonly origin: string
  readonly epoch: string
  readonly from: number
  readonly to: number
  readonly profile: Profile
  readonly paths?: readonly string[]
}

export interface PriorRecord {
  readonly type: 'prior'
  readonly hashes: readonly string[]
}

export interface SinceRecord {
  readonly type: 'since'
  readonly size: number
  readonly root: string
  readonly proof: readonly string[]
}

export interface KeychainRecord {
  readonly type: 'keychain'
  readonly seq: number
  readonly entry: string
  readonly head: string
  readonly proof: readonly string[]
  readonly prior?: readonly string[]
}

export interface CheckpointRecord {
  readonly type: 'checkpoint'
  readonly head: string
}

export interface AccessLine {
  readonly type: 'access'
  readonly seq: number
  readonly entry: string
  readonly commit: string
  readonly proof: readonly string[]
}

export interface EntryLine {
  readonly type: 'entry'
  readonly entry?: string
  readonly leaf?: string
  readonly commit?: string
  readonly dropped?: 1
}

export interface NodeRecord {
  readonly type: 'node'
  readonly node: string
}

export interface EndRecord {
  readonly type: 'end'
  readonly lines: number
  readonly digest: string
}

export type BundleRecord =
  | HeaderRecord
  | PriorRecord
  | SinceRecord
  | KeychainRecord
  | CheckpointRecord
  | AccessLine
  | EntryLine
  | NodeRecord
  | EndRecord

/** The kinds of entries that a redacted bundle holds in full. docs/bundle.md lists what stays readable in them. */
export const openKinds: ReadonlySet<string> = new Set<KnownEntryKind>([
  'genesis',
  'commit',
  'ref',
  'epoch',
  'key',
  'session',
  'grant',
  'revoke',
  'taint',
  'erase',
  'prune',
  'refusal',
])

/** The line of a record, with its line feed. */
export function lineOf(record: BundleRecord): string {
  return `${canonicalText(record as unknown as Stored)}\n`
}

/** The fields of an object that is neither a list nor null; undefined for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined
}

/** The fields of an object, and a check for each. */
export type Shape = readonly {
  readonly name: string
  readonly isOptional: boolean
  readonly isRight: (value: unknown) => boolean
}[]

/** Makes a shape. A field whose name ends with a question mark may be absent. */
export function shape(checks: Readonly<Record<string, (value: unknown) => boolean>>): Shape {
  return Object.entries(checks).map(([name, isRight]) => ({
    name: name.replace('?', ''),
    isOptional: name.endsWith('?'),
    isRight,
  }))
}

/** Whether an object has these fields, each of its type, and no others. */
export function fits(fields: Readonly<Record<string, unknown>>, expected: Shape): boolean {
  let found = 0
  for (const { name, isOptional, isRight } of expected) {
    if (!Object.hasOwn(fields, name)) {
      if (!isOptional) return false
    } else if (!isRight(fields[name])) return false
    else found++
  }
  return found === Object.keys(fields).length
}

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
export const isHash = (value: unknown): boolean =>
  isText(value) && value.length === 44 && findBase64(value)?.length === 32

/** The bytes of a hash that passed `isHash`. */
export function bytesOfHash(hash: string): Uint8Array {
  return findBase64(hash)!
}

/** A check for lists whose items all pass another. */
export function listOf(isItem: (value: unknown) => boolean): (value: unknown) => boolean {
  return value => Array.isArray(value) && value.every(isItem)
}
