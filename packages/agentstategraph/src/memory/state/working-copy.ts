/**
 * One agent's keys as plain values over a state of the memory: what was loaded, handed out, assigned and deleted.
 *
 * A key that was handed out may change at any time, so it is compared with its stored form at every checkpoint, for as long
 * as the copy lives; keys never touched cost nothing. The copy knows no commits: where keys come from and where the edits
 * go is the workspace's business.
 */

import type { Refusal, Stored } from '../../core/index.ts'
import type { Edit } from '../../tree/index.ts'
import { memoryError } from '../errors.ts'
import type { Codec } from '../values/codec.ts'
import { comparable } from '../values/matches-stored.ts'
import { encodeChild, type Reconciling, reconcile } from '../values/reconcile.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { freshCopy } from './initial.ts'
import { findBehind } from './read-only.ts'
import { stateObject } from './state-object.ts'
import { draftOver } from './update-draft.ts'

/** The agent's keys as they are stored. */
export interface KeySource {
  find(key: string): Stored | undefined
  has(key: string): boolean
  list(): readonly string[]
}

/** A key that was touched. */
export interface Cell {
  value: unknown
  isThere: boolean
  /** Whether somebody may hold the value and change it in place. */
  isOut: boolean
  isAssigned: boolean
  /** What it is compared with: its stored form, or the initial value's while it is not stored. */
  baseline: Stored | undefined
  isStored: boolean
  /** What `update` did to a value that nobody holds. */
  edits: Edit[]
}

/** What became of a key: its edits, and its stored form with them. Taken in one moment; what is written later is not in it. */
export interface Collected {
  readonly copy: WorkingCopy
  readonly key: string
  readonly cell: Cell
  readonly edits: readonly Edit[]
  /** The initial value that the edits changed, while the key is not stored. */
  readonly initial: Stored | undefined
  /** Undefined when the key is gone, or when only edits of an update are known. */
  readonly stored: Stored | undefined
}

export class WorkingCopy {
  readonly definition: AgentDefinition
  readonly state: object
  readonly cells: Map<string, Cell> = new Map()
  /** Set when nothing that is written here would be kept any more. */
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

  /** Another state of the memory below the cells. */
  rest(source: KeySource): void {
    this.#source = source
  }

  find(key: string): { readonly value: unknown } | undefined {
    if (this.#isTransient(key)) return this.#findTransient(key)
    const cell = this.#cellOf(key)
    if (cell === undefined || !cell.isThere) return undefined
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
    // What comes from a checkout is taken as a copy, because it could not be changed here either.
    const past = findBehind(value)
    cell.value = past === undefined ? value : this.#codec.decode(this.#codec.encode(past, [this.definition.name, key]))
    cell.isThere = true
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
    cell.isThere = false
    cell.isAssigned = false
  }

  list(): readonly string[] {
    const stored = this.#source.list()
    const names = new Set([...stored, ...Object.keys(this.#initial), ...this.#transients.keys()])
    for (const [key, { isThere }] of this.cells) isThere ? names.add(key) : names.delete(key)
    return [...names]
  }

  /** Changes a value by a draft. While nobody holds the value, only the changes themselves are encoded and kept. */
  update(key: string, edit: (draft: never) => void): void {
    this.#assertOpen(key)
    const cell = this.#isTransient(key) ? undefined : this.#cellOf(key)
    if (cell === undefined || cell.isOut || !cell.isStored || typeof cell.value !== 'object' || cell.value === null) {
      const found = this.find(key)
      if (found === undefined) throw memoryError('update-missing', { agent: this.definition.name, key })
      edit(found.value as never)
      return
    }
    const path = [this.definition.name, key]
    draftOver(this.#codec, cell.value, path, edit as (draft: unknown) => void, ({ edits, isOut }) => {
      for (const one of edits) cell.edits.push(one)
      // Something that has no paths inside was handed out: from here on the whole value is compared.
      if (isOut) this.#handOut(key, cell)
    })
  }

  /** The keys that are not what is stored. What cannot be stored is collected in `refused`. */
  collect(refused: (key: string, refusal: Refusal) => void): Collected[] {
    const found: Collected[] = []
    for (const [key, cell] of this.cells) {
      const collected = this.#collectCell(key, cell, refusal => refused(key, refusal))
      const initial = cell.isStored ? undefined : cell.baseline
      if (collected !== undefined) found.push({ copy: this, key, cell, initial, ...collected })
    }
    return found
  }

  #collectCell(
    key: string,
    cell: Cell,
    onRefused: (refusal: Refusal) => void,
  ): { readonly edits: readonly Edit[]; readonly stored: Stored | undefined } | undefined {
    const { name } = this.definition
    const path = [name, key]
    if (!cell.isThere) return cell.isStored ? { edits: [{ op: 'delete', path }], stored: undefined } : undefined
    if (!cell.isOut && !cell.isAssigned) {
      return cell.edits.length === 0 ? undefined : { edits: [...cell.edits], stored: undefined }
    }
    const walk: Reconciling = { codec: this.#codec, at: path, edits: [], refused: [] }
    let stored: Stored | undefined
    if (cell.baseline === undefined || (cell.isAssigned && !cell.isStored)) {
      walk.at.pop()
      stored = encodeChild(walk, key, cell.value) ?? null
      walk.edits.push({ op: 'set', path: [name, key], value: stored })
    } else {
      stored = reconcile(walk, cell.value, cell.baseline)
      // A change of an initial value stores all of it, since there is nothing yet to edit.
      if (!cell.isStored && walk.edits.length > 0) walk.edits.splice(0, Number.POSITIVE_INFINITY, whole(path, stored))
    }
    for (const refusal of walk.refused) onRefused(refusal)
    return walk.edits.length === 0 && walk.refused.length === 0 ? undefined : { edits: walk.edits, stored }
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
    return this.cells.get(key)?.isThere ?? (this.isInitial(key) || this.#source.has(key))
  }

  /** The cell of a key that is stored, initial or was touched. */
  #cellOf(key: string): Cell | undefined {
    const known = this.cells.get(key)
    if (known !== undefined) return known
    const { baseline, isStored } = this.#formOf(key)
    if (baseline === undefined) return undefined
    // An initial value comes from its stored form too, so that no two memories share an instance.
    return this.#addCell(key, {
      value: this.#codec.decode(baseline, [this.definition.name, key]),
      isThere: true,
      baseline,
      isStored,
    })
  }

  /** A cell for a key whose value will not be read. */
  #addUnread(key: string): Cell {
    return this.#addCell(key, this.#formOf(key))
  }

  /** From here on the value is compared, so what it is compared with has to be known. */
  #handOut(key: string, cell: Cell): void {
    cell.isOut = true
    if (cell.isStored && cell.baseline === undefined) cell.baseline = this.#storedForm(key)
  }

  #storedForm(key: string): Stored | undefined {
    const stored = this.#source.find(key)
    return stored === undefined ? undefined : comparable(stored)
  }

  /** What a key is compared with: its stored form, which may be null, or else the initial value's. */
  #formOf(key: string): Pick<Cell, 'baseline' | 'isStored'> {
    const stored = this.#storedForm(key)
    if (stored !== undefined || !this.isInitial(key)) return { baseline: stored, isStored: stored !== undefined }
    const baseline = this.#codec.encode(this.#initial[key], [this.definition.name, key])
    return { baseline, isStored: false }
  }

  #addCell(key: string, known: Pick<Cell, 'baseline' | 'isStored'> & Partial<Cell>): Cell {
    const cell = { value: undefined, isThere: false, isOut: false, isAssigned: false, edits: [], ...known }
    this.cells.set(key, cell)
    return cell
  }

  #assertOpen(key: string): void {
    if (this.over !== undefined) {
      throw memoryError('state-over', { agent: this.definition.name, key, reason: this.over })
    }
  }
}

/** Takes what was collected for stored. What was written since then still differs from it. */
export function settle({ cell, edits, stored }: Collected): void {
  if (stored !== undefined) {
    cell.baseline = stored
    cell.isStored = true
    cell.isAssigned = false
    cell.edits.length = 0
  } else if (edits[0]?.op === 'delete' && edits[0].path.length === 2) {
    cell.baseline = undefined
    cell.isStored = false
  } else {
    cell.baseline = undefined
    cell.edits.splice(0, edits.length)
  }
}

function whole(path: readonly string[], value: Stored): Edit {
  return { op: 'set', path: [...path], value }
}
