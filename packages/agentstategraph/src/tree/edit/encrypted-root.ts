/** Encrypts what is protected and still plain in a tree, whatever made it. */

import { findEncrypted, userKey } from '../../core/index.ts'
import { containerOfChild, findEntry } from '../nodes/child.ts'
import type { TreeContext } from '../nodes/context.ts'
import { type Encryption, encryptedAt } from '../nodes/encryption.ts'
import { type Child, familyOf, type Link } from '../nodes/node.ts'
import { entriesOf } from '../nodes/sequence.ts'
import type { Walk } from '../nodes/walk.ts'
import { valueOfChild } from '../nodes/whole-value.ts'
import { edit } from './edit.ts'
import type { Edit } from './edits.ts'

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
  return edits.length === 0 ? root : (yield* edit(unopened, root, edits)).root
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
