/**
 * How much a repository does for a call, counted and not timed: the commits and nodes that it looks at, the entries and
 * the parts of packs that it reads.
 *
 * It changes no answer. A node that is not stored yet is looked at without being counted.
 */
import type { Repository } from '../../../src/repository/index.ts'

/** What a call asked of the store and its cache. */
export async function workOf(repo: Repository, call: () => unknown): Promise<number> {
  const { journal, shared } = repo.handle
  // The index is built behind the commits, and that is no work of the call.
  await shared.index?.flush()
  const { nodes, recent } = journal
  const sync = journal.log.sync!
  const { find, findRead } = nodes
  const { entries, parts } = sync
  let count = 0
  // What was written a moment ago is not read again, and a long history has little of that.
  recent.clear()
  recent.get = seq => {
    count++
    return Map.prototype.get.call(recent, seq)
  }
  nodes.find = link => {
    count++
    return find(link)
  }
  nodes.findRead = link => {
    count++
    return findRead!(link)
  }
  sync.entries = (...args) => {
    const rows = entries(...args)
    count += rows.length
    return rows
  }
  sync.parts = pointers => {
    count += pointers.length
    return parts(pointers)
  }
  try {
    await call()
  } finally {
    recent.get = Map.prototype.get
    Object.assign(nodes, { find, findRead })
    Object.assign(sync, { entries, parts })
  }
  return count
}
