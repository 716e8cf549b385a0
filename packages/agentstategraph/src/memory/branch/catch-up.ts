/**
 * Moves a workspace to the newest head of its branch and keeps its pending changes.
 *
 * Values that were handed out are changed in place; others are read again on demand. Pending changes are merged with what
 * landed, by the same policies as at a checkpoint. If that is a conflict, or the state was migrated, the workspace stays at
 * its base, and its next checkpoint reports the reason.
 */

import { isStateError, type Stored } from '../../core/index.ts'
import { assertReadsBranch, findBranchHead, findVersionGap } from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'
import { edit, findEntry, isSameContent, type Link } from '../../tree/index.ts'
import { type Cell, isTouched } from '../state/cell.ts'
import type { Collected, KeySource, WorkingCopy } from '../state/working-copy.ts'
import { matchesStored } from '../values/matches-stored.ts'
import { updateInPlace } from '../values/update-in-place.ts'
import { mergeWithHead, treeOf } from './land-workspace.ts'
import { type Base, baseAt, collect, sourceIn, storedAt, type Workspace } from './workspace.ts'

/** The new content of a touched key: its value with the pending changes, and its new baseline. */
interface CellUpdate {
  readonly copy: WorkingCopy
  readonly key: string
  readonly cell: Cell
  readonly merged: Stored | undefined
  readonly landed: Stored | undefined
}

export function* catchUp(workspace: Workspace): Work<void> {
  const { handle } = workspace
  yield* assertReadsBranch(handle, handle.branch)
  for (;;) {
    const head = yield* findBranchHead(handle)
    const { base } = workspace
    if (base.isCommit && head?.seq === base.commit?.seq) return
    const pending = findPending(workspace)
    if (pending === undefined) return
    if (pending.length > 0 && (yield* findVersionGap(handle.journal, base.commit, head)) !== undefined) return
    const landed = treeOf(handle, head)
    const mine = (yield* edit(
      handle.journal.context,
      base.tree,
      pending.flatMap(one => one.edits),
    )).root
    const { tree: merged, conflicts } = yield* mergeWithHead(workspace, head, mine, pending)
    if (conflicts.length > 0) return
    const updates = yield* updatesOf(workspace, mine, merged, landed)
    const next = baseAt(handle, head)
    const sources = yield* sourcesAt(workspace, next)
    // The program may have changed values during the reads. From here on nothing waits, so an unchanged set can be applied.
    const now = findPending(workspace)
    if (now === undefined || !isSamePending(workspace, pending, now)) continue
    for (const update of updates) applyUpdate(workspace, update)
    workspace.base = next
    for (const [name, copy] of workspace.copies) {
      copy.readFrom(sources.get(name)!)
      forgetUntouched(copy)
    }
    return
  }
}

/** Lets the copies of a workspace read from its base, after a landing without a merge. */
export function* readFromBase(workspace: Workspace): Work<void> {
  const sources = yield* sourcesAt(workspace, workspace.base)
  for (const [name, copy] of workspace.copies) copy.readFrom(sources.get(name)!)
}

function* sourcesAt(workspace: Workspace, base: Base): Work<Map<string, KeySource>> {
  const sources = new Map<string, KeySource>()
  for (const name of workspace.copies.keys()) sources.set(name, yield* sourceIn({ ...workspace, base }, name))
  return sources
}

/** The pending changes; undefined when they cannot be stored, and so cannot be merged. */
function findPending(workspace: Workspace): readonly Collected[] | undefined {
  try {
    return collect(workspace)
  } catch (error) {
    if (isStateError(error, 'checkpoint-refused')) return undefined
    throw error
  }
}

function isSamePending({ codec }: Workspace, before: readonly Collected[], now: readonly Collected[]): boolean {
  if (before.length !== now.length) return false
  return before.every(({ cell, stored, edits }, i) => {
    const other = now[i]!
    if (other.cell !== cell || other.edits.length !== edits.length) return false
    return stored === undefined || matchesStored(codec, cell.value, stored)
  })
}

/** The touched keys whose merged value differs from the workspace, or whose landed value differs from the base. */
function* updatesOf(workspace: Workspace, mine: Link, merged: Link, landed: Link): Work<CellUpdate[]> {
  const { handle, base, copies } = workspace
  const { context } = handle.journal
  const updates: CellUpdate[] = []
  for (const [name, copy] of copies) {
    for (const [key, cell] of copy.cells) {
      const path = [name, key]
      const isEqual = function* (a: Link, b: Link): Work<boolean> {
        const [one, other] = [yield* findEntry(context, a, path), yield* findEntry(context, b, path)]
        return one === undefined || other === undefined ? one === other : isSameContent(one.child, other.child)
      }
      if ((yield* isEqual(mine, merged)) && (yield* isEqual(base.tree, landed))) continue
      const values = { merged: yield* storedAt(handle, merged, path), landed: yield* storedAt(handle, landed, path) }
      updates.push({ copy, key, cell, ...values })
    }
  }
  return updates
}

function applyUpdate({ codec }: Workspace, { copy, key, cell, merged, landed }: CellUpdate): void {
  if (!isTouched(cell) && cell.exists) {
    copy.cells.delete(key)
    return
  }
  cell.exists = merged !== undefined
  cell.value = merged === undefined ? undefined : updateInPlace(codec, cell.value, merged)
  cell.baseline = landed
  cell.isStored = landed !== undefined
  // The edits of an update were made on another state, so the value is compared instead.
  if (cell.edits.length > 0) cell.isHandedOut = true
  cell.edits.length = 0
}

/** Drops cells that are not held by a program: they are read again on demand. */
function forgetUntouched(copy: WorkingCopy): void {
  for (const [key, cell] of copy.cells) {
    if (cell.exists && !isTouched(cell)) copy.cells.delete(key)
    // A deletion that is stored needs no cell.
    if (!cell.exists && !cell.isStored && !copy.isInitial(key)) copy.cells.delete(key)
  }
}
