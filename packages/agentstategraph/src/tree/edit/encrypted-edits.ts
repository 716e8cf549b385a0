/**
 * The edits of a tree with protected places, with their values encrypted.
 *
 * A write inside a protected place decrypts its value, changes it, and encrypts the whole again. Without the key it is
 * refused; a write of the whole place is always possible.
 */

import { appendAll, findEncrypted, formatPath, type Stored } from '../../core/index.ts'
import { treeError } from '../errors.ts'
import { findEntry } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { decrypted, type Encryption, encryptedAt } from '../nodes/encryption.ts'
import type { Link } from '../nodes/node.ts'
import type { Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { type Edit, editPlain, type Owned } from './edits.ts'

/** Edits a tree. It is a parameter, because it encrypts its edits in turn. */
export type EditTree = (context: TreeContext, root: Link, edits: readonly Edit[]) => Walk<{ readonly root: Link }>

/** `unopened` is a context without encryption: an encrypted value is written as one value, not as nodes of the tree. */
export function* encryptedEdits(
  unopened: TreeContext,
  encryption: Encryption,
  root: Link,
  edits: readonly Edit[],
  edit: EditTree,
): Walk<readonly Edit[]> {
  const encrypted: Edit[] = []
  let place: OpenPlace | undefined
  let state = root
  let made = 0
  for (const one of edits) {
    const depth = encryption.findPlace(one.path)?.depth
    const path = depth === undefined || depth === one.path.length ? undefined : one.path.slice(0, depth)
    if (place !== undefined && (path === undefined || !isSamePath(place.path, path))) {
      appendAll(encrypted, closed(encryption, place))
      place = undefined
    }
    if (path === undefined) {
      encrypted.push(one.op === 'delete' ? one : { ...one, value: encryptedAt(encryption, one.path, one.value) })
      continue
    }
    if (place === undefined) {
      // The value of the place depends on the edits before this one.
      state = (yield* edit(unopened, state, encrypted.slice(made))).root
      made = encrypted.length
      const entry = yield* findEntry(unopened, state, path)
      const lying = entry === undefined ? undefined : yield* valueOfChild(unopened, entry.child)
      const before = lying === undefined ? undefined : decrypted(encryption, lying)
      place = { path, before, value: before, last: one, owned: new WeakSet() }
    }
    editInside(place, one)
  }
  if (place !== undefined) appendAll(encrypted, closed(encryption, place))
  return encrypted
}

/** The decrypted value of a protected place while consecutive edits change it. */
interface OpenPlace {
  readonly path: readonly string[]
  readonly before: Stored | undefined
  value: Stored | undefined
  last: Edit
  readonly owned: Owned
}

function editInside(place: OpenPlace, one: Edit): void {
  const { path, value } = place
  const unread = value === undefined ? undefined : findEncrypted(value)
  if (unread !== undefined) {
    if (one.op === 'delete') return
    throw treeError('value-encrypted', { path: formatPath(one.path), at: formatPath(path), erasedAt: unread.erasedAt })
  }
  place.value = editPlain(value, one, path.length, place.owned)
  place.last = one
}

/** The one edit that writes the place back; none when its value did not change. */
function closed(encryption: Encryption, { path, before, value, last }: OpenPlace): Edit[] {
  if (value === before || value === undefined) return []
  return [{ ...last, op: 'set', path, value: encryptedAt(encryption, path, value) }]
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index])
}
