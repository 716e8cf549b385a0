/** Why an append is refused: the comparisons of the contract, in the one order that all backends keep. */
import type { Append, Appended, Seen } from './backend.ts'

/** What a journal holds, as far as an append asks. */
export interface AppendState {
  readonly seq: number
  readonly time: number
  /** Whether it holds what someone has seen of it. */
  has(seen: Seen): boolean
  /** The entry that a key or a ref leads to. */
  key(key: string): number | null | undefined
  ref(name: string): number | null | undefined
  /** Whether an entry is there and, if it holds a commit, still has its pack. */
  hasNodes(seq: number): boolean
}

/** Compares an append with what a journal holds. Undefined when nothing is against it. */
export function refusedAppend(
  state: AppendState,
  { seen, keys = [], moves, after, needs = [], time }: Append,
): Appended | undefined {
  if (seen !== undefined && !state.has(seen)) return { kind: 'replaced' }
  for (const { key } of keys) {
    const seq = state.key(key) ?? null
    if (seq !== null) return { kind: 'repeated', key, seq }
  }
  for (const { name, expect } of moves) {
    const actual = state.ref(name) ?? null
    if (actual !== expect) return { kind: 'moved', name, actual }
  }
  if (after !== undefined && after !== state.seq) return { kind: 'moved', name: '', actual: state.seq }
  const dropped = needs.find(seq => !state.hasNodes(seq))
  if (dropped !== undefined) return { kind: 'dropped', seq: dropped }
  return time < state.time ? { kind: 'late', time: state.time } : undefined
}
