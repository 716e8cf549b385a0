/**
 * A `Log` over its synchronous calls. A call that throws becomes a promise that rejects; one that finds the store locked by
 * another process waits without blocking the thread.
 */
import type { Log, SyncLog } from './backend.ts'
import type { LogIndex, SyncLogIndex } from './index-log.ts'
import { nowOrWhenFree } from './lock.ts'

/** Answers a synchronous call. */
type Answer = <T>(call: () => T) => Promise<T>

/** Makes a log from its synchronous calls; calls in `own` replace derived ones. */
export function asyncLog(
  sync: SyncLog,
  own: Pick<Log, 'onChange' | 'lock'> & Partial<Pick<Log, 'append' | 'upkeep'>>,
): Log {
  const { lock } = own
  const answer: Answer = async call => (lock === undefined ? call() : nowOrWhenFree(lock, call))
  return {
    append: own.append ?? (batch => answer(() => sync.append(batch))),
    entries: (from, to, columns) => answer(() => sync.entries(from, to, columns)),
    parts: pointers => answer(() => sync.parts(pointers)),
    find: (prefix, limit) => answer(() => sync.find(prefix, limit)),
    ...(sync.indexIds && { indexIds: () => answer(() => sync.indexIds!()) }),
    ref: name => answer(() => sync.ref(name)),
    key: key => answer(() => sync.key(key)),
    refs: (prefix, part) => answer(() => sync.refs(prefix, part)),
    head: () => answer(() => sync.head()),
    check: seen => answer(() => sync.check(seen)),
    dropPacks: (seqs, newest) => answer(() => sync.dropPacks(seqs, newest)),
    ...(sync.packBytes && { packBytes: (from, to) => answer(() => sync.packBytes!(from, to)) }),
    ...(sync.packTotal && { packTotal: () => answer(() => sync.packTotal!()) }),
    onChange: own.onChange,
    sync,
    lock,
    index: sync.index && asyncIndex(sync.index, answer),
    upkeep: own.upkeep,
  }
}

/** An index with promises over a synchronous one. */
export function asyncIndex(sync: SyncLogIndex, answer: Answer = async call => call()): LogIndex {
  return {
    ...(sync.isFixed && { isFixed: true }),
    mark: () => answer(() => sync.mark()),
    add: batch => answer(() => sync.add(batch)),
    search: search => answer(() => sync.search(search)),
    counts: groups => answer(() => sync.counts(groups)),
    hashes: {
      mark: () => answer(() => sync.hashes.mark()),
      add: batch => answer(() => sync.hashes.add(batch)),
      read: places => answer(() => sync.hashes.read(places)),
    },
    clear: () => answer(() => sync.clear()),
  }
}
