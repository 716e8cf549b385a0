/**
 * Finds damage in what a key-value store keeps beside the entries of a namespace, and makes it again.
 *
 * Cells of entries, keys, terms and hashes cannot be listed in every store. They say by themselves whether they are whole, and
 * are checked where they are read.
 */
import type { KVStore } from '../../store/contract/backend.ts'
import type { DerivedCells, LogUpkeep, RebuiltCell, UpkeepFault } from '../../store/contract/upkeep.ts'
import { type Cell, decodeEntry, encodeJson, findCell, findJson } from './cell.ts'
import type { NamespaceKeys } from './keys.ts'
import { clearedMarks } from './query-index.ts'
import { isWritten, newToken } from './send.ts'

/** A namespace has had fewer lives than this, so no append was checked against a cell with it. */
const rebuiltLife = 2 ** 32

/** How many entries are read at once. */
const entriesTogether = 256

interface CommitCell extends RebuiltCell {
  readonly key: string
}

export function kvUpkeep(store: KVStore, keys: NamespaceKeys): LogUpkeep {
  async function listed(prefix: string): Promise<readonly string[]> {
    const found: string[] = []
    for await (const key of store.list(prefix)) found.push(key)
    return found.sort()
  }

  /** The cells of some kind that are not what they are going to be; `known` are the keys of those that can be listed. */
  async function changesOf(
    kind: 'ref' | 'key',
    cells: DerivedCells['refs'],
    known: readonly string[],
  ): Promise<readonly RebuiltCell[]> {
    const keyOf = keys[kind]
    const next = new Map(cells.map(({ name, seq }) => [keyOf(name), seq]))
    const all = [...new Set([...next.keys(), ...known])]
    const values = await store.getMany(all)
    return all.flatMap((key, i): RebuiltCell[] => {
      const value = values[i]
      const from = value === undefined ? null : (findJson(key, value) as number | undefined)
      const to = next.get(key) ?? null
      return from === to ? [] : [{ kind, name: key.slice(keyOf('').length), from, to }]
    })
  }

  /** The cells by which commits are found, and are missing; and the bytes of all packs. */
  async function readEntries(newest: number): Promise<{ missing: readonly CommitCell[]; packBytes: number }> {
    const known = new Set(await listed(keys.commits))
    const missing: CommitCell[] = []
    let packBytes = 0
    for (let from = 1; from <= newest; from += entriesTogether) {
      const seqs = Array.from({ length: Math.min(entriesTogether, newest - from + 1) }, (_, i) => from + i)
      for (const [i, row] of (await store.getMany(seqs.map(keys.entry))).entries()) {
        const seq = seqs[i]!
        const entry = row && decodeEntry(keys.entry(seq), row)
        packBytes += entry?.packBytes ?? 0
        const commit = entry?.commit
        const key = commit && keys.commit({ seq, id: commit.id })
        if (key === undefined || known.has(key)) continue
        missing.push({ kind: 'commit', name: commit!.id, from: null, to: seq, key })
      }
    }
    return { missing, packBytes }
  }

  return {
    async inspect() {
      const faults: UpkeepFault[] = []
      const report = (key: string): unknown =>
        faults.push({ where: `cell ${key}`, what: 'its value does not have the hash that it was written with' })
      const cell = await store.get(keys.cell)
      if (cell !== undefined && findJson(keys.cell, cell) === undefined) report(keys.cell)
      await inspectAll(Object.values(keys.marks))
      for (const prefix of [keys.refs, keys.counts]) await inspectAll(await listed(prefix))
      return faults

      async function inspectAll(all: readonly string[]): Promise<void> {
        const values = await store.getMany(all)
        for (const [i, key] of all.entries()) if (values[i] && findJson(key, values[i]) === undefined) report(key)
      }
    },
    async rebuild({ newest, refs, keys: used }) {
      const expect = await store.get(keys.cell)
      const old = expect && (findJson(keys.cell, expect) as Cell | undefined)
      if ((await store.get(keys.entry(newest + 1))) !== undefined || (old?.seq ?? 0) > newest) return undefined
      const changed = [
        ...(await changesOf('ref', refs, await listed(keys.refs))),
        ...(await changesOf('key', used, [])),
      ]
      const put = new Map<string, Uint8Array>()
      const deleted: string[] = []
      for (const { kind, name, to } of changed) {
        const key = kind === 'ref' ? keys.ref(name) : keys.key(name)
        if (to === null) deleted.push(key)
        else put.set(key, encodeJson(key, to))
      }
      const { missing: commits, packBytes } = await readEntries(newest)
      for (const { key } of commits) put.set(key, new Uint8Array())
      const row = await store.get(keys.entry(newest))
      const { time } = decodeEntry(keys.entry(newest), row ?? new Uint8Array())
      for (const [key, mark] of clearedMarks(keys)) put.set(key, mark)
      const token = newToken()
      const value = encodeJson(keys.cell, { life: old?.life ?? rebuiltLife, seq: newest, time, packBytes, token })
      const changes = { put, delete: deleted, clear: keys.derived, compareAndSet: [{ key: keys.cell, expect, value }] }
      const isOwn = async (): Promise<boolean> => findCell(keys, await store.get(keys.cell))?.token === token
      if (await isWritten(store, keys.name, changes, isOwn)) {
        return [...changed, ...commits.map(({ key: _, ...cell }) => cell)]
      }
      return undefined
    },
  }
}
