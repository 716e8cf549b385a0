/** The lines of an export: how one is parsed, and how they are chained. A line of an unknown form throws a RangeError. */

import { hashText, type Stored } from '../../core/index.ts'
import type { ForeignNode, Place, TrimmedNode } from '../../store/index.ts'

export interface CommitLine {
  readonly kind: 'commit'
  readonly text: string
  readonly seq: number
  readonly roots: readonly Place[]
  readonly changed: readonly string[]
  /** How many lines with nodes follow. */
  readonly nodes: number
  readonly isDraft: boolean
}

export interface Fact {
  readonly kind: string
  readonly seq: number
  readonly agent: string
  readonly body: { readonly [key: string]: Stored }
}

export type ExportLine =
  | {
      readonly kind: 'header'
      readonly version: number
      readonly limits: Stored
      readonly origin: string
      readonly refs: readonly (readonly [string, number])[]
    }
  | CommitLine
  | ({ readonly kind: 'node' } & (ForeignNode | TrimmedNode))
  | { readonly kind: 'fact'; readonly fact: Fact }
  | { readonly kind: 'end'; readonly hash: string; readonly lines: number }

/** The version of the lines. */
export const exportVersion = 2

/** Kinds of entries that say something about commits, and make sense in another journal. */
export const factKinds: readonly string[] = ['observe', 'resolve', 'event', 'note']

/** The hash of a line and of all before it. */
export function chained(before: string, line: string): string {
  return hashText(before + line)
}

type Fields = Readonly<Record<string, unknown>>

export function readLine(text: string): ExportLine {
  const fields: unknown = JSON.parse(text)
  if (!isFields(fields)) throw new RangeError('it is not a line of an export')
  if ('export' in fields) {
    const { export: version, limits, origin, refs = [] } = fields
    return {
      kind: 'header',
      version: numberIn(version),
      limits: fieldsIn(limits) as Stored,
      origin: textIn(origin),
      refs: listIn(refs)
        .map(pairIn)
        .map(([name, seq]) => [textIn(name), numberIn(seq)]),
    }
  }
  if ('commit' in fields) return commitLine(fields)
  if ('node' in fields) {
    return { kind: 'node', text: textIn(fields['node']), provenance: listIn(fields['provenance']).map(numberIn) }
  }
  if ('trimmed' in fields) return { kind: 'node', leaf: leafIn(fields['trimmed']) }
  if ('fact' in fields) return { kind: 'fact', fact: factIn(fields) }
  if (!isFields(fields['end'])) throw new RangeError('it is not a line of an export')
  return { kind: 'end', hash: textIn(fields['end']['hash']), lines: numberIn(fields['end']['lines']) }
}

function commitLine(fields: Fields): CommitLine {
  return {
    kind: 'commit',
    text: textIn(fields['commit']),
    seq: numberIn(fields['seq']),
    roots: listIn(fields['roots'])
      .map(pairIn)
      .map(([seq, index]) => [numberIn(seq), numberIn(index)]),
    changed: listIn(fields['changed']).map(textIn),
    nodes: numberIn(fields['nodes']),
    isDraft: fields['draft'] === true,
  }
}

function factIn({ fact, seq, agent, body }: Fields): Fact {
  return {
    kind: textIn(fact),
    seq: numberIn(seq),
    agent: textIn(agent),
    body: fieldsIn(body ?? {}) as { readonly [key: string]: Stored },
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsIn(value: unknown): Fields {
  if (!isFields(value)) throw new RangeError('a field of it is not a map')
  return value
}

function listIn(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError('a field of it is not a list')
  return value
}

function pairIn(value: unknown): readonly [unknown, unknown] {
  const list = listIn(value)
  if (list.length !== 2) throw new RangeError('a field of it is not a list of pairs')
  return [list[0], list[1]]
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new RangeError('a field of it is not a text')
  return value
}

/** A hash in base64url. Records hold it at a fixed length. */
function leafIn(value: unknown): string {
  const leaf = textIn(value)
  if (!/^[\w-]{43}$/.test(leaf)) throw new RangeError('a field of it is not a hash')
  return leaf
}

function numberIn(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError('a field of it is not a number')
  return value
}
