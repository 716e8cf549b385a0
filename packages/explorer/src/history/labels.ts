/** The names of branches and tags at each commit. */
import { signal } from '@preact/signals'
import type { Ref } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'

export interface Label {
  readonly kind: 'branch' | 'tag'
  readonly name: string
}

/** Labels by commit id, and the names to choose from. */
export const labels = signal<ReadonlyMap<string, readonly Label[]>>(new Map())
export const refNames = signal<readonly Label[]>([])

/** More names than that are found by typing them. */
const MOST_NAMES = 1000

export async function loadLabels(signal: AbortSignal): Promise<void> {
  const [branches, tags] = await Promise.all([
    ask('list_branches', { limit: MOST_NAMES }, signal),
    ask('list_tags', { limit: MOST_NAMES }, signal),
  ])
  const named = (kind: Label['kind'], refs: readonly Ref[]) => refs.map(({ name, id }) => ({ kind, name, id }))
  const all = [...named('branch', branches.items), ...named('tag', tags.items)]
  const byId = new Map<string, Label[]>()
  for (const { kind, name, id } of all) {
    if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), { kind, name }])
  }
  labels.value = byId
  refNames.value = all.map(({ kind, name }) => ({ kind, name }))
}
