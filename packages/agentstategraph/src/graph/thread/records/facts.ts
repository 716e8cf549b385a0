/**
 * The facts since a thread's last step, as entries of the journal.
 *
 * Each entry holds a batch of facts and names the entry before it and the step that it follows. So the newest leads to all
 * of them, and a fork shares them. Run marks record whether a run holds the thread.
 */

import { encode, isStateError, type Refusal, StateError, type Stored } from '../../../core/index.ts'
import { bodyOf, decodeValue } from '../../../repo/index.ts'
import {
  type JournalEntry,
  type NewRecord,
  readEntry,
  readEntryValue,
  recordsWithValue,
  type Work,
} from '../../../store/index.ts'
import { encryptedAt, type TreeContext } from '../../../tree/index.ts'
import type { CompiledGraphPlan, Update } from '../../model/compiled-plan.ts'
import { type Fact, updateName } from '../../model/run-protocol.ts'
import type { Encoding } from './encoding.ts'
import { errorFrom, errorRecord } from './errors.ts'
import { type StoredTargets, storedTargets, targetsFrom } from './targets.ts'

/** `begin`: a run holds the thread from here on. `rest`: no run does. */
export type RunMark = 'begin' | 'rest'

/** What an entry follows. */
export interface FactLinks {
  /** The entry of the last step. */
  readonly base: number
  /** The entry before this one; null for the first since the step. */
  readonly previous: number | null
}

/** A fact with the number of its first event, if it has events. */
export interface NumberedFact {
  readonly fact: Fact
  readonly event?: number | undefined
}

/** An entry as it is read. */
export interface FactEntry extends FactLinks {
  readonly facts: readonly NumberedFact[]
  readonly mark: RunMark | undefined
}

/** A fact in stored form. Throws `value-refused`, naming the node, when a value cannot be stored. */
export function storedFact({ fact, event }: NumberedFact, encoding: Encoding, { fields }: CompiledGraphPlan): Stored {
  const number = event === undefined ? {} : { event }
  switch (fact.kind) {
    case 'task': {
      const { updates, goto, reads, collected, retried, reducers: _, ...plain } = fact
      return storedBy(fact.node, () => ({
        ...number,
        ...(encode(withoutUndefined(plain)) as object),
        updates: updates.map(update => storedUpdate(update, encoding)),
        reducers: reducersOf(fields, updates),
        ...(goto === undefined ? {} : { goto: storedTargets(goto, encoding) as unknown as Stored }),
        ...(reads === undefined ? {} : { reads }),
        ...(collected === undefined ? {} : { collected: encode(errorRecord(collected)) }),
        ...(retried === undefined ? {} : { retried: retried.map(error => encode(errorRecord(error))) }),
      }))
    }
    case 'failure': {
      const { error, ...plain } = fact
      return { ...number, ...(encode(plain) as object), error: encode(errorRecord(error)) }
    }
    case 'amend': {
      const { update, ...plain } = fact
      return storedBy(updateName, () => ({ ...(encode(plain) as object), update: storedUpdate(update, encoding) }))
    }
    case 'interrupt':
      return storedBy(fact.node, () => encode(fact, encoding))
    case 'once':
      return storedBy(`once('${fact.name}')`, () => encode(fact, encoding))
    case 'answer':
      return storedBy(`the answer to ${fact.id}`, () => encode(fact, encoding))
  }
}

/** Each field as it would be stored in the state: in pairs, because a field may have any name. */
export function storedUpdate(update: Update, { limits, encryption, classes }: Encoding): Stored {
  const fields = Object.keys(update).filter(field => update[field] !== undefined)
  return fields.map(field => {
    const at = [field]
    return [field, encryptedAt(encryption, at, encode(update[field], { at, limits, classes }))]
  })
}

/** In pairs, because a field may have any name. */
function reducersOf(fields: CompiledGraphPlan['fields'], updates: readonly Update[]): Stored {
  const written = new Set(updates.flatMap(update => Object.keys(update)))
  return [...written].flatMap(field => {
    const reducer = fields.reducerOf(field)
    return reducer === undefined ? [] : [[field, reducer]]
  })
}

/** Runs an encoding, and adds the node to the error when a value cannot be stored. */
export function storedBy<T>(whose: string, store: () => T): T {
  try {
    return store()
  } catch (error) {
    if (!isStateError(error, 'value-refused')) throw error
    const { refused } = error.data as { readonly refused: readonly Refusal[] }
    const data = { refused, node: whose }
    throw new StateError('value-refused', data, `${whose}: ${error.message}`, error.hint, { cause: error })
  }
}

/** The records of an entry with facts or a mark: one, and more when the value is long. */
export function factRecords(
  agent: string,
  { base, previous }: FactLinks,
  facts: readonly Stored[],
  mark?: RunMark,
): readonly NewRecord[] {
  const body = { base, ...(previous === null ? {} : { previous }), ...(mark === undefined ? {} : { mark }) }
  return recordsWithValue({ kind: 'task', agent, body }, facts as Stored)
}

/** Reads from the newest entry back to the first since the step, and returns them oldest first. */
export function* readFacts(newest: number, context: TreeContext): Work<readonly FactEntry[]> {
  const entries: FactEntry[] = []
  for (let seq: number | null = newest; seq !== null; ) {
    const entry: FactEntry = yield* readFactEntry(yield* readEntry(seq), context)
    entries.push(entry)
    seq = entry.previous
  }
  return entries.reverse()
}

function* readFactEntry(entry: JournalEntry, context: TreeContext): Work<FactEntry> {
  const { base, previous = null, mark } = bodyOf(entry.record, 'task')
  const facts = ((yield* readEntryValue(entry)) ?? []) as readonly Stored[]
  return { base, previous, mark, facts: facts.map(fact => factFrom(fact, context)) }
}

interface StoredTaskFact {
  readonly updates: readonly (readonly (readonly [string, Stored])[])[]
  readonly goto?: StoredTargets
  readonly reducers?: readonly (readonly [string, string])[]
}

function factFrom(stored: Stored, context: TreeContext): NumberedFact {
  const { event, ...fields } = decodeValue(context, stored) as { readonly event?: number } & Record<string, unknown>
  const fact = fields as unknown as Fact
  if (fact.kind === 'failure') return { event, fact: { ...fact, error: errorFrom(fact.error) } }
  if (fact.kind === 'amend')
    return { event, fact: { ...fact, update: Object.fromEntries(fields['update'] as [string, unknown][]) } }
  if (fact.kind !== 'task') return { event, fact }
  const { updates, goto, reducers } = fields as unknown as StoredTaskFact
  const kept = reducers === undefined ? {} : { reducers: Object.fromEntries(reducers) }
  const task = { ...fact, ...kept, updates: updates.map(update => Object.fromEntries(update)) }
  // The values of the entry have been decoded above.
  const way = goto === undefined ? {} : { goto: targetsFrom(goto, value => value) }
  const collected = fact.collected === undefined ? {} : { collected: errorFrom(fact.collected) }
  const retried = fact.retried === undefined ? {} : { retried: fact.retried.map(errorFrom) }
  return { event, fact: { ...task, ...way, ...collected, ...retried } }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
