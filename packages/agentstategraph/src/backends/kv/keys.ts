/**
 * The keys of a store in a `KVStore`.
 *
 * | key | value |
 * |---|---|
 * | `n/<namespace>` | the cell, which every append compares and sets: `{"life", "seq", "time", "token"}` |
 * | `e/<namespace>/<seq>` | an entry: `{"leaf", "time", "text", "commit", "firsts", "token"}` |
 * | `p/<namespace>/<seq>/<first>` | one part of an entry's pack |
 * | `r/<namespace>/<ref>` | the ref's seq |
 * | `k/<namespace>/<idempotency key>` | the seq that answers a repetition |
 * | `c/<namespace>/<commit id>/<seq>` | empty: the key has all |
 *
 * In the name of a namespace `~` is written `~0` and `/` is written `~1`, so that no name is a prefix of the keys of
 * another. Values are JSON in UTF-8, except parts. This file builds and reads keys and knows no store.
 */
import type { FoundCommit } from '../../store/contract/backend.ts'

export const cellPrefix = 'n/'

export interface NamespaceKeys {
  readonly cell: string
  /** The prefixes of all keys but the cell's. */
  readonly prefixes: readonly string[]
  /** The prefix of the keys of commits. */
  readonly commits: string
  entry(seq: number): string
  part(seq: number, first: number): string
  /** The prefix of the keys of an entry's parts. */
  partsOf(seq: number): string
  ref(name: string): string
  key(key: string): string
  commit(commit: FoundCommit): string
  /** The name in a key that `ref` built. */
  refName(key: string): string
  /** The commit in a key that `commit` built. */
  foundCommit(key: string): FoundCommit
}

export function namespaceKeys(namespace: string): NamespaceKeys {
  const name = namespace.replaceAll('~', '~0').replaceAll('/', '~1')
  const refs = `r/${name}/`
  const commits = `c/${name}/`
  return {
    cell: cellPrefix + name,
    prefixes: ['e', 'p', 'r', 'k', 'c'].map(kind => `${kind}/${name}/`),
    commits,
    entry: seq => `e/${name}/${seq}`,
    part: (seq, first) => `p/${name}/${seq}/${first}`,
    partsOf: seq => `p/${name}/${seq}/`,
    ref: ref => refs + ref,
    key: key => `k/${name}/${key}`,
    commit: ({ id, seq }) => `${commits}${id}/${seq}`,
    refName: key => key.slice(refs.length),
    foundCommit(key) {
      const [id = '', seq] = key.slice(commits.length).split('/')
      return { seq: Number(seq), id }
    },
  }
}

/** The namespace in the key of a cell. */
export function namespaceOfCell(key: string): string {
  return key.slice(cellPrefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
}
