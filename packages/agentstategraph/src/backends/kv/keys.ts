/**
 * The keys of a store that is kept in a `KVStore`.
 *
 * | key | value |
 * |---|---|
 * | `n/<namespace>` | the cell that every append compares and sets: `{"life", "seq", "time"}` |
 * | `e/<namespace>/<seq>` | an entry: `{"leaf", "time", "text", "commit", "firsts"}` |
 * | `p/<namespace>/<seq>/<first>` | one part of an entry's pack, as it is |
 * | `r/<namespace>/<ref>` | the ref's seq |
 * | `k/<namespace>/<idempotency key>` | the seq it is answered with |
 * | `c/<namespace>/<commit id>/<seq>` | nothing: the key says it all |
 *
 * In a namespace `~` is written `~0` and `/` is written `~1`, so that no name reaches into another. Values are JSON in
 * UTF-8 except parts. This file builds and reads keys and knows no store.
 */
import type { FoundCommit } from '../../store/contract/backend.ts'

export const cellPrefix = 'n/'

export interface NamespaceKeys {
  readonly cell: string
  /** Where the keys of everything but the cell begin. */
  readonly prefixes: readonly string[]
  /** Where the keys of commits begin. */
  readonly commits: string
  entry(seq: number): string
  part(seq: number, first: number): string
  /** Where the keys of an entry's parts begin. */
  partsOf(seq: number): string
  ref(name: string): string
  key(key: string): string
  commit(commit: FoundCommit): string
  /** The name in a key that `ref` gave. */
  refName(key: string): string
  /** The commit in a key that `commit` gave. */
  foundCommit(key: string): FoundCommit
}

/** The keys of one namespace. */
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

/** The namespace whose cell a key is. */
export function namespaceOfCell(key: string): string {
  return key.slice(cellPrefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
}
