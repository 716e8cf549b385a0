/**
 * A `Log` over its synchronous calls. A call that throws becomes a promise that rejects; nothing else is added.
 */
import type { Log, SyncLog } from './backend.ts'
import type { LogIndex, SyncLogIndex } from './index-log.ts'

/** Makes a log from its synchronous calls; calls in `own` replace derived ones. */
export function asyncLog(sync: SyncLog, own: Pick<Log, 'onChange'> & Partial<Pick<Log, 'append'>>): Log {
  return {
    append: own.append ?? (async batch => sync.append(batch)),
    entries: async (from, to, columns) => sync.entries(from, to, columns),
    parts: async pointers => sync.parts(pointers),
    find: async (prefix, limit) => sync.find(prefix, limit),
    ref: async name => sync.ref(name),
    key: async key => sync.key(key),
    refs: async prefix => sync.refs(prefix),
    head: async () => sync.head(),
    check: async seen => sync.check(seen),
    dropPacks: async seqs => sync.dropPacks(seqs),
    onChange: own.onChange,
    sync,
    index: sync.index && asyncIndex(sync.index),
  }
}

/** An index with promises over a synchronous one. */
export function asyncIndex(sync: SyncLogIndex): LogIndex {
  return {
    mark: async () => sync.mark(),
    add: async batch => sync.add(batch),
    search: async search => sync.search(search),
    counts: async group => sync.counts(group),
    hashes: {
      mark: async () => sync.hashes.mark(),
      add: async batch => sync.hashes.add(batch),
      read: async places => sync.hashes.read(places),
    },
    clear: async () => sync.clear(),
  }
}
