/**
 * Where a key of a `KVStore` lies in Redis.
 *
 * `r/default/branch/main` is the field `branch/main` of the hash `<prefix>r/default`, and `n/default` is the field `default`
 * of `<prefix>n`. So a namespace is a few keys of Redis, which are deleted at once. Fields that are listed are also members
 * of the sorted set `<prefix>names/r/default`, which orders them by their bytes.
 */
import { listedKinds } from '../kv/keys.ts'

export interface Place {
  readonly hash: string
  /** The sorted set of the hash's fields; undefined for kinds that are not listed. */
  readonly names: string | undefined
  readonly field: string
}

/** Makes the function that finds the place of a key, or of a prefix of keys. */
export function places(prefix: string): (key: string) => Place {
  return key => {
    const first = key.indexOf('/')
    const second = key.indexOf('/', first + 1)
    const end = second < 0 ? first : second
    const group = key.slice(0, end)
    const names = listedKinds.includes(key.slice(0, first)) ? `${prefix}names/${group}` : undefined
    return { hash: prefix + group, names, field: key.slice(end + 1) }
  }
}
