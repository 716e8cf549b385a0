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
 * | `i/<namespace>/terms`, `i/<namespace>/hashes` | how far the index is derived: `{"mark", "token"}` |
 * | `t/<namespace>/<block>/<term>` | the entries of a block that have a term |
 * | `g/<namespace>/<group>/<name>` | how often a name of a group occurred |
 * | `h/<namespace>/<level>/<index>` | a hash of the Merkle tree |
 *
 * In the names of namespaces and groups `~` is written `~0` and `/` is written `~1`, so that no name is a prefix of the keys
 * of another. cell.ts says how values are written. This file builds and reads keys and knows no store.
 */
import type { FoundCommit } from '../../store/contract/backend.ts'
import type { HashPlace } from '../../store/contract/index-log.ts'

export const cellPrefix = 'n/'

/** The kinds of keys that are listed by prefix: namespaces, refs, commits and counts. */
export const listedKinds: readonly string[] = ['n', 'r', 'c', 'g']

export interface NamespaceKeys {
  /** The name of the namespace. */
  readonly name: string
  readonly cell: string
  /** The prefixes of all keys but those of the cell and the marks. */
  readonly prefixes: readonly string[]
  /** The prefixes of what is derived. */
  readonly derived: readonly string[]
  /** The marks of the index: how far its terms and its hashes are derived. */
  readonly marks: { readonly terms: string; readonly hashes: string }
  /** The prefixes of the keys of commits, refs and counts. */
  readonly commits: string
  readonly refs: string
  readonly counts: string
  entry(seq: number): string
  part(seq: number, first: number): string
  ref(name: string): string
  key(key: string): string
  commit(commit: FoundCommit): string
  term(block: number, term: string): string
  /** The prefix of the keys of a group's names. */
  group(group: string): string
  hash(place: HashPlace): string
  /** The name in a key that `ref` built. */
  refName(key: string): string
  /** The commit in a key that `commit` built. */
  foundCommit(key: string): FoundCommit
}

export function namespaceKeys(namespace: string): NamespaceKeys {
  const name = escaped(namespace)
  const below = (kinds: string): string[] => [...kinds].map(kind => `${kind}/${name}/`)
  const refs = `r/${name}/`
  const commits = `c/${name}/`
  return {
    name: namespace,
    cell: cellPrefix + name,
    prefixes: below('eprkctgh'),
    derived: below('tgh'),
    marks: { terms: `i/${name}/terms`, hashes: `i/${name}/hashes` },
    commits,
    refs,
    counts: `g/${name}/`,
    entry: seq => `e/${name}/${seq}`,
    part: (seq, first) => `p/${name}/${seq}/${first}`,
    ref: ref => refs + ref,
    key: key => `k/${name}/${key}`,
    commit: ({ id, seq }) => `${commits}${id}/${seq}`,
    term: (block, term) => `t/${name}/${block}/${term}`,
    group: group => `g/${name}/${escaped(group)}/`,
    hash: ({ level, index }) => `h/${name}/${level}/${index}`,
    refName: key => key.slice(refs.length),
    foundCommit(key) {
      const [id = '', seq] = key.slice(commits.length).split('/')
      return { seq: Number(seq), id }
    },
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The namespace in the key of a cell. */
export function namespaceOfCell(key: string): string {
  return key.slice(cellPrefix.length).replaceAll('~1', '/').replaceAll('~0', '~')
}
