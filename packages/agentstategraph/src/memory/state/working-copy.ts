/**
 * One agent's keys as plain values over a state of the memory.
 *
 * A value that was handed out may change at any time, so it is compared with its stored form at every checkpoint while the
 * copy exists; untouched keys cost nothing. The copy does not know commits: the workspace supplies keys and lands edits.
 */

import type { Refusal, Stored } from '../../core/index.ts'
import { memoryError } from '../errors.ts'
import type { Codec } from '../values/codec.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { type Cell, type CellChange, findChange } from './cell.ts'
import { freshCopy } from './initial.ts'
import { findBehind } from './read-only.ts'
import { stateObject } from './state-object.ts'
import { updateByProxy } from './update-proxy.ts'

/** The agent's keys as they are stored. */
export interface KeySource {
  find(key: string): Stored | undefined
  has(key: string): boolean
  list(): readonly string[]
}

/** A changed key of a working copy. */
export interface Collected extends CellChange {
  readonly copy: WorkingCopy
  readonly key: string
  readonly cell: Cell
  /** The initial value that the edits changed, while the key is not stored. */
  readonly initial: Stored | undefined
}

export class WorkingCopy {
  readonly definition: AgentDefinition
  readonly state: object
  readonly cells: Map<string, Cell> = new Map()
  /** Why writes are refused; undefined while they are kept. */
  over: 'task' | 'rollback' | 'closed' | undefined
  readonly #codec: Codec
  readonly #transients: Map<string, unknown>
  readonly #initial: Readonly<Record<string, unknown>>
  #source: KeySource

  constructor(
    definition: AgentDefinition,
    codec: Codec,
    source: KeySource,
    transients: Map<string, unknown>,
    initial: Readonly<Record<string, unknown>>,
  ) {
    this.definition = definition
    this.#codec = codec
    this.#source = source
    this.#transients = transients
    this.#initial = initial
    this.state = stateObject({
      find: key => this.find(key),
      has: key => this.#has(key),
      set: (key, value) => this.set(key, value),
      delete: key => this.delete(key),
      list: () => this.list(),
    })
  }

  /** Reads untouched keys from another state of the memory from now on. */
  readFrom(source: KeySource): void {
    this.#source = source
  }

  find(key: string): { readonly value: unknown } | undefined {
    if (this.#isTransient(key)) return this.#findTransient(key)
    const cell = this.#cellOf(key)
    if (cell === undefined || !cell.exists) return undefined
    if (typeof cell.value === 'object' && cell.value !== null) this.#handOut(key, cell)
    return cell
  }

  set(key: string, value: unknown): void {
    this.#assertOpen(key)
    if (this.#isTransient(key)) {
      this.#transients.set(key, value)
      return
    }
    const cell = this.cells.get(key) ?? this.#addUnread(key)
    this.#handOut(key, cell)
    // A value of a checkout is read-only, so a copy is assigned.
    const past = findBehind(value)
    cell.value = past === undefined ? value : this.#codec.decode(this.#codec.encode(past, [this.definition.name, key]))
    cell.exists = true
    cell.isAssigned = true
  }

  delete(key: string): void {
    this.#assertOpen(key)
    if (this.#isTransient(key)) {
      this.#transients.delete(key)
      return
    }
    const cell = this.cells.get(key) ?? this.#addUnread(key)
    cell.value = undefined
    cell.exists = false
    cell.isAssigned = false
  }

  list(): readonly string[] {
    const stored = this.#source.list()
    const names = new Set([...stored, ...Object.keys(this.#initial), ...this.#transients.keys()])
    for (const [key, { exists }] of this.cells) exists ? names.add(key) : names.delete(key)
    return [...names]
  }

  /** Changes a value. While it is not handed out, only the changes themselves are encoded and recorded. */
  update(key: string, edit: (value: never) => void): void {
    this.#assertOpen(key)
    const cell = this.#isTransient(key) ? undefined : this.#cellOf(key)
    if (
      cell === undefined ||
      cell.isHandedOut ||
      !cell.isStored ||
      typeof cell.value !== 'object' ||
      cell.value === null
    ) {
      const found = this.find(key)
      if (found === undefined) throw memoryError('update-missing', { agent: this.definition.name, key })
      edit(found.value as never)
      return
    }
    const path = [this.definition.name, key]
    updateByProxy(this.#codec, cell.value, path, edit as (value: unknown) => void, ({ edits, isHandedOut }) => {
      for (const one of edits) cell.edits.push(one)
      if (isHandedOut) this.#handOut(key, cell)
    })
  }

  /** The keys that differ from what is stored. Each value that cannot be stored is reported to `refused`. */
  collect(refused: (key: string, refusal: Refusal) => void): Collected[] {
    const found: Collected[] = []
    for (const [key, cell] of this.cells) {
      const change = findChange(this.#codec, [this.definition.name, key], cell, refusal => refused(key, refusal))
      const initial = cell.isStored ? undefined : cell.baseline
      if (change !== undefined) found.push({ copy: this, key, cell, initial, ...change })
    }
    return found
  }

  isInitial(key: string): boolean {
    return Object.hasOwn(this.#initial, key)
  }

  #isTransient(key: string): boolean {
    return this.definition.transient.has(key)
  }

  #findTransient(key: string): { readonly value: unknown } | undefined {
    if (!this.#transients.has(key)) {
      if (!this.isInitial(key)) return undefined
      this.#transients.set(key, freshCopy(this.#initial[key]))
    }
    return { value: this.#transients.get(key) }
  }

  #has(key: string): boolean {
    if (this.#isTransient(key)) return this.#transients.has(key) || this.isInitial(key)
    return this.cells.get(key)?.exists ?? (this.isInitial(key) || this.#source.has(key))
  }

  /** The cell of a key that is stored, has an initial value or was touched. */
  #cellOf(key: string): Cell | undefined {
    const known = this.cells.get(key)
    if (known !== undefined) return known
    const { baseline, isStored } = this.#formOf(key)
    if (baseline === undefined) return undefined
    // An initial value is decoded too, so that no two memories share an instance.
    return this.#addCell(key, {
      value: this.#codec.decode(baseline, [this.definition.name, key]),
      exists: true,
      baseline,
      isStored,
    })
  }

  /** A cell for a key whose value will not be read. */
  #addUnread(key: string): Cell {
    return this.#addCell(key, this.#formOf(key))
  }

  /** From now on the value is compared, which needs its baseline. */
  #handOut(key: string, cell: Cell): void {
    cell.isHandedOut = true
    if (cell.isStored && cell.baseline === undefined) cell.baseline = this.#source.find(key)
  }

  /** The baseline of a key: its stored form, which may be null, or that of its initial value. */
  #formOf(key: string): Pick<Cell, 'baseline' | 'isStored'> {
    const stored = this.#source.find(key)
    if (stored !== undefined || !this.isInitial(key)) return { baseline: stored, isStored: stored !== undefined }
    const baseline = this.#codec.encode(this.#initial[key], [this.definition.name, key])
    return { baseline, isStored: false }
  }

  #addCell(key: string, known: Pick<Cell, 'baseline' | 'isStored'> & Partial<Cell>): Cell {
    const cell = { value: undefined, exists: false, isHandedOut: false, isAssigned: false, edits: [], ...known }
    this.cells.set(key, cell)
    return cell
  }

  #assertOpen(key: string): void {
    if (this.over !== undefined) {
      throw memoryError('state-over', { agent: this.definition.name, key, reason: this.over })
    }
  }
}
