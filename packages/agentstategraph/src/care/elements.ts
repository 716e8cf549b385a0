/**
 * The writers of a list's elements.
 *
 * Elements have no names, so which of the parent's elements one was cannot be told from the two lists. What can be told:
 * for each value as many elements keep an older writer as the parent's list had of it, and each of them the writer of one.
 * What is inside an element that changed must have been written by the commit or by an ancestor.
 */

import { type Child, type ContainerNode, contentOf, type Entry, entriesOf, nodeOf } from '../tree/index.ts'
import type { Walk } from '../tree/walk.ts'
import { type Checking, findDifference, type Path } from './checking.ts'
import { unshared } from './unshared.ts'

export function* checkElements(
  checking: Checking,
  list: ContainerNode,
  parents: readonly ContainerNode[],
  path: Path,
): Walk<void> {
  const [first, ...others] = parents
  const { own, before } = yield* unshared(checking.context, list, first, checking)
  const inFirst = grouped(before)
  const elsewhere = new Map<string, Entry[]>()
  for (const other of others) {
    for (const entry of yield* entriesOf(checking.context, other)) {
      if (entry.child.kind === 'link') checking.before(entry.child)
      add(elsewhere, entry)
    }
  }
  const counts = new Map<string, number>()
  for (const entry of own) counts.set(contentOf(entry.child), (counts.get(contentOf(entry.child)) ?? 0) + 1)
  const mayBeNew = new Map<string, number>()
  for (const [content, count] of counts) mayBeNew.set(content, count - (inFirst.get(content)?.length ?? 0))
  for (const entry of own) {
    const content = contentOf(entry.child)
    if (checking.isOwnWriter(entry.writer)) {
      const left = mayBeNew.get(content)!
      mayBeNew.set(content, left - 1)
      if (left <= 0) checking.report(path, 'an element that a parent has counts as new')
      yield* checkInside(checking, entry.child)
    } else if (
      !(yield* takeEqual(checking, entry, inFirst.get(content))) &&
      !(yield* takeEqual(checking, entry, elsewhere.get(content)))
    ) {
      checking.report(path, 'an element has a writer that no equal element of a parent has')
    }
  }
}

/** Takes out an element that is equal in value and writers, if there is one. */
function* takeEqual(checking: Checking, entry: Entry, from: Entry[] | undefined): Walk<boolean> {
  for (const [i, candidate] of (from ?? []).entries()) {
    if (candidate.writer !== entry.writer) continue
    if ((yield* findDifference(checking, entry.child, candidate.child, [])) !== undefined) continue
    from!.splice(i, 1)
    return true
  }
  return false
}

function* checkInside(checking: Checking, child: Child): Walk<void> {
  if (child.kind === 'leaf') return
  if (child.kind === 'held') return yield* checkEntries(checking, child.node.entries)
  checking.own(child)
  if (!checking.isOwnLink(child)) return
  const node = yield* nodeOf(checking.context.nodes, child)
  if ('entries' in node) yield* checkEntries(checking, node.entries)
  else if ('items' in node) for (const { link } of node.items) yield* checkInside(checking, link)
}

function* checkEntries(checking: Checking, entries: readonly Entry[]): Walk<void> {
  for (const { child, writer } of entries) {
    if (!checking.isOwnWriter(writer)) checking.wroteElsewhere(writer)
    yield* checkInside(checking, child)
  }
}

function grouped(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) add(groups, entry)
  return groups
}

function add(groups: Map<string, Entry[]>, entry: Entry): void {
  const content = contentOf(entry.child)
  const group = groups.get(content)
  if (group === undefined) groups.set(content, [entry])
  else group.push(entry)
}
