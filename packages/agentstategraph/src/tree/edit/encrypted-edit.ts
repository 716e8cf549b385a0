/**
 * Edits of a tree with protected places: values are encrypted before they become nodes.
 *
 * A write inside a protected place decrypts its value, changes it, and encrypts the whole again. Without the key it is
 * refused; a write of the whole place is always possible. Without protected places the plain edit runs.
 */

import { appendAll, findEncrypted, formatPath, type Stored, userKey } from '../../core/index.ts'
import { treeError } from '../errors.ts'
import type { TreeContext } from '../nodes/context.ts'
import { decrypted, type Encryption, encryptedAt } from '../nodes/encryption.ts'
import { type Child, familyOf, type Link } from '../nodes/node.ts'
import { containerOfChild, findEntry, valueOfChild } from '../nodes/read.ts'
import { entriesOf } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { type Edited, edit as plainEdit } from './edit.ts'
import type { Edit } from './edits.ts'
import { editPlain, type Owned } from './plain-edit.ts'

/** Applies many edits in one pass, each to the result of the ones before it. */
export function edit(context: TreeContext, root: Link, edits: readonly Edit[]): Walk<Edited> {
  const { encryption } = context
  return encryption === undefined ? plainEdit(context, root, edits) : editEncrypted(context, encryption, root, edits)
}

function* editEncrypted(
  context: TreeContext,
  encryption: Encryption,
  root: Link,
  edits: readonly Edit[],
): Walk<Edited> {
  // Without encryption: an encrypted value must be written as one value, not as nodes of the tree.
  const unopened: TreeContext = { ...context, encryption: undefined }
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
      state = (yield* plainEdit(unopened, state, encrypted.slice(made))).root
      made = encrypted.length
      const entry = yield* findEntry(unopened, state, path)
      const lying = entry === undefined ? undefined : yield* valueOfChild(unopened, entry.child)
      const before = lying === undefined ? undefined : decrypted(encryption, lying)
      place = { path, before, value: before, last: one, owned: new WeakSet() }
    }
    editInside(place, one)
  }
  if (place !== undefined) appendAll(encrypted, closed(encryption, place))
  return yield* plainEdit(unopened, root, encrypted)
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

/** Encrypts every protected place at, above or below one of the paths that is not encrypted yet. */
export function* encryptedRoot(context: TreeContext, root: Link, paths: readonly (readonly string[])[]): Walk<Link> {
  const { encryption } = context
  if (encryption === undefined) return root
  const unopened: TreeContext = { ...context, encryption: undefined }
  const edits: Edit[] = []
  for (const path of paths) {
    const depth = encryption.findPlace(path)?.depth
    if (depth === undefined && !encryption.mayHavePlaceBelow(path)) continue
    const from = path.slice(0, depth)
    const child = from.length === 0 ? root : (yield* findEntry(unopened, root, from))?.child
    if (child !== undefined) yield* encryptBelow(unopened, encryption, child, from, edits)
  }
  return edits.length === 0 ? root : (yield* plainEdit(unopened, root, edits)).root
}

/** Adds an edit for each protected place at a path or below it that is not encrypted. */
function* encryptBelow(
  unopened: TreeContext,
  encryption: Encryption,
  child: Child,
  path: readonly string[],
  into: Edit[],
): Walk<void> {
  if (encryption.findPlace(path) !== undefined) {
    const value = yield* valueOfChild(unopened, child)
    if (findEncrypted(value) === undefined) into.push({ op: 'set', path, value: encryptedAt(encryption, path, value) })
    return
  }
  const container = encryption.mayHavePlaceBelow(path) ? yield* containerOfChild(unopened, child) : undefined
  if (container === undefined) return
  const isMap = familyOf(container).leaf === 'map'
  for (const [index, entry] of (yield* entriesOf(unopened, container)).entries()) {
    yield* encryptBelow(unopened, encryption, entry.child, [...path, isMap ? userKey(entry.key) : String(index)], into)
  }
}
