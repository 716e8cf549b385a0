/** The held examples of the tree layer: roots of states, and results of merges. They are compared, never written. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { canonicalText, hexOfId, type Stored } from '../../src/core/index.ts'
import { formatLimits, type Link, type Policies, type Side } from '../../src/tree/index.ts'
import { textOf, treesWith } from './support/trees.ts'

interface HeldRoot {
  readonly note: string
  readonly state: string
  readonly root: string
}

interface HeldMerge {
  readonly note: string
  readonly base: string
  readonly ours: string
  readonly theirs: string
  readonly policies: Policies
  readonly later: Side
  readonly result?: string
  readonly conflicts?: readonly Readonly<Record<string, string>>[]
}

function held<T>(file: string): T[] {
  return readFileSync(new URL(`../../../../fixtures/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}

const trees = treesWith(formatLimits)

function rootOf(text: string): Link {
  return trees.root(JSON.parse(text) as Stored)
}

describe('roots', () => {
  it.each(held<HeldRoot>('roots.jsonl').map(row => [row.note, row] as const))('%s', (_note, { state, root }) => {
    expect(hexOfId(rootOf(state).id)).toBe(root)
    expect(textOf(trees, rootOf(state)) === state).toBe(true)
  })
})

describe('merges', () => {
  it.each(held<HeldMerge>('merges.jsonl').map(row => [row.note, row] as const))('%s', (_note, row) => {
    const [base, ours, theirs] = [row.base, row.ours, row.theirs].map(rootOf)
    const merged = trees.merge(base!, ours!, theirs!, { policies: row.policies, later: row.later })
    if (row.result !== undefined) expect(textOf(trees, merged.root)).toBe(row.result)
    const conflicts = merged.conflicts.map(({ path, ...sides }) => ({
      path,
      ...Object.fromEntries(Object.entries(sides).map(([side, value]) => [side, canonicalText(value)])),
    }))
    expect(conflicts).toEqual(row.conflicts ?? [])
  })
})
