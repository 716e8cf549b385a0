/**
 * Bringing a workspace to the head that others have landed, with its own changes kept.
 *
 * Values that somebody holds are changed in place, others are read anew when they are asked for. Pending changes are merged
 * with what landed, by the same policies as at a checkpoint; where that is a conflict, or the state was migrated, the workspace
 * stays where it is, and its next checkpoint says so.
 */

import { isStateError, type Stored } from '../../core/index.ts'
import { assertReadsBranch, findBranchHead, findVersionGap } from '../../repo/index.ts'
import type { Work } from '../../store/index.ts'
import { edit, findEntry, isSameContent, type Link } from '../../tree/index.ts'
import type { Cell, Collected, KeySource, WorkingCopy } from '../state/working-copy.ts'
import { isSame } from '../values/matches-stored.ts'
import { updateInPlace } from '../values/update-in-place.ts'
import { mergeWithHead, treeOf } from './land-workspace.ts'
import { type Base, baseAt, collect, encodeAt, sourceIn, type Workspace } from './workspace.ts'

/** What a touched key becomes: its value with the pending changes, and what it is compared with from then on. */
interface Turn {
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
    const turns = yield* turnsOf(workspace, mine, merged, landed)
    const next = baseAt(handle, head)
    const sources = yield* sourcesAt(workspace, next)
    // Reading may have taken a while. From here on nothing waits, so what is still as it was can be changed.
    const now = findPending(workspace)
    if (now === undefined || !isSamePending(workspace, pending, now)) continue
    for (const turn of turns) carryOut(workspace, turn)
    workspace.base = next
    for (const [name, copy] of workspace.copies) {
      copy.rest(sources.get(name)!)
      forgetUntouched(copy)
    }
    return
  }
}

/** Lets the copies of a workspace read from where it stands, after it landed with nobody else in between. */
export function* restOnBase(workspace: Workspace): Work<void> {
  const sources = yield* sourcesAt(workspace, workspace.base)
  for (const [name, copy] of workspace.copies) copy.rest(sources.get(name)!)
}

function* sourcesAt(workspace: Workspace, base: Base): Work<Map<string, KeySource>> {
  const sources = new Map<string, KeySource>()
  for (const name of workspace.copies.keys()) sources.set(name, yield* sourceIn({ ...workspace, base }, name))
  return sources
}

/** The pending changes; undefined when they cannot be stored, and so cannot be merged either. */
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
    return stored === undefined || isSame(codec, cell.value, stored)
  })
}

/** The touched keys that are not in the merged state what they are in the workspace, or not in the head what they were. */
function* turnsOf(workspace: Workspace, mine: Link, merged: Link, landed: Link): Work<Turn[]> {
  const { handle, base, copies } = workspace
  const { context } = handle.journal
  const turns: Turn[] = []
  for (const [name, copy] of copies) {
    for (const [key, cell] of copy.cells) {
      const path = [name, key]
      const isEqual = function* (a: Link, b: Link): Work<boolean> {
        const [one, other] = [yield* findEntry(context, a, path), yield* findEntry(context, b, path)]
        return one === undefined || other === undefined ? one === other : isSameContent(one.child, other.child)
      }
      if ((yield* isEqual(mine, merged)) && (yield* isEqual(base.tree, landed))) continue
      const values = { merged: yield* encodeAt(handle, merged, path), landed: yield* encodeAt(handle, landed, path) }
      turns.push({ copy, key, cell, ...values })
    }
  }
  return turns
}

function carryOut({ codec }: Workspace, { copy, key, cell, merged, landed }: Turn): void {
  const isTouched = cell.isOut || cell.isAssigned || cell.edits.length > 0
  if (!isTouched && cell.isThere) {
    copy.cells.delete(key)
    return
  }
  cell.isThere = merged !== undefined
  cell.value = merged === undefined ? undefined : updateInPlace(codec, cell.value, merged)
  cell.baseline = landed
  cell.isStored = landed !== undefined
  // Edits of an update were made on another state: the value is compared instead.
  if (cell.edits.length > 0) cell.isOut = true
  cell.edits.length = 0
}

/** What nobody holds is read again, and costs nothing until then. */
function forgetUntouched(copy: WorkingCopy): void {
  for (const [key, cell] of copy.cells) {
    if (cell.isThere && !cell.isOut && !cell.isAssigned && cell.edits.length === 0) copy.cells.delete(key)
    // A deletion that is stored needs no memory of its own.
    if (!cell.isThere && !cell.isStored && !copy.isInitial(key)) copy.cells.delete(key)
  }
}
