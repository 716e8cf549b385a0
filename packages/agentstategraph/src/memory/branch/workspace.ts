/**
 * A workspace: a base state, and working copies of agents over it, for one task or one program.
 *
 * A workspace is a fork. Changes that other tasks land are not visible in it until it catches up (`catch-up.ts`), and its own changes
 * are not visible to others until they land (`land-workspace.ts`).
 */

import { type Refusal, type Stored, userKey, validateWith } from '../../core/index.ts'
import { findBranchHead, type Handle } from '../../repo/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import {
  type ContainerNode,
  containerOfChild,
  decrypted,
  entriesOf,
  familyOf,
  findEntry,
  type Link,
  rootOf,
  type TreeContext,
  valueOfChild,
} from '../../tree/index.ts'
import { type MemoryRefusal, memoryError } from '../errors.ts'
import type { AgentDefinition } from '../state/agent-definition.ts'
import { initialValues, validValues } from '../state/initial.ts'
import { type Collected, type KeySource, WorkingCopy } from '../state/working-copy.ts'
import { type Codec, codecOf } from '../values/codec.ts'

/** The state that the changes of a workspace are relative to. */
export interface Base {
  readonly tree: Link
  readonly commit: StoredCommit | undefined
  /** False while `tree` is not the tree of the commit, but that of this workspace before the merge that made the commit. */
  readonly isCommit: boolean
}

/** Transient values by agent and key, shared by all workspaces of a memory and never stored. */
export type Transients = Map<string, Map<string, unknown>>

export interface Workspace {
  readonly handle: Handle
  readonly codec: Codec
  readonly transients: Transients
  readonly copies: Map<string, WorkingCopy>
  base: Base
}

export function* openWorkspace(handle: Handle, transients: Transients): Work<Workspace> {
  const base = baseAt(handle, yield* findBranchHead(handle))
  return { handle, codec: codecOf(handle), transients, copies: new Map(), base }
}

export function baseAt(handle: Handle, commit: StoredCommit | undefined): Base {
  return { tree: commit?.tree ?? rootOf(handle.journal.context, {}, 0), commit, isCommit: true }
}

/** An agent's working copy, made on first use. */
export async function copyIn(workspace: Workspace, definition: AgentDefinition): Promise<WorkingCopy> {
  const { handle, codec, transients, copies } = workspace
  const known = copies.get(definition.name)
  if (known !== undefined) return known
  const source = await handle.journal.run(sourceIn(workspace, definition.name))
  const initial = definition.schema === undefined ? definition.initial : await defaultsOver(definition, codec, source)
  // A concurrent call may have made it.
  const meanwhile = copies.get(definition.name)
  if (meanwhile !== undefined) return meanwhile
  const own = transients.get(definition.name) ?? new Map<string, unknown>()
  transients.set(definition.name, own)
  const copy = new WorkingCopy(definition, codec, source, own, initial)
  copies.set(definition.name, copy)
  return copy
}

/** The defaults of a schema for keys that are not stored. The stored keys must match the schema. */
async function defaultsOver(
  definition: AgentDefinition,
  codec: Codec,
  source: KeySource,
): Promise<Readonly<Record<string, unknown>>> {
  const keys = source.list()
  if (keys.length === 0) return await initialValues(definition)
  const stored = Object.fromEntries(keys.map(key => [key, codec.decode(source.find(key)!, [definition.name, key])]))
  const valid = validValues(definition, 'loading', await validateWith(definition.schema!, stored))
  return Object.fromEntries(Object.entries(valid).filter(([key]) => !Object.hasOwn(stored, key)))
}

/** An agent's stored keys at the base, read on demand, or in advance with an asynchronous backend. */
export function* sourceIn({ handle, base }: Pick<Workspace, 'handle' | 'base'>, agent: string): Work<KeySource> {
  const { journal } = handle
  const { tree } = base
  if (journal.log.sync !== undefined) {
    let names: readonly string[] | undefined
    return {
      find: key => journal.runSync(storedAt(handle, tree, [agent, key])),
      has: key => journal.runSync(findEntry(journal.context, tree, [agent, key])) !== undefined,
      list: () => (names ??= journal.runSync(keysAt(handle, tree, agent))),
    }
  }
  const names = yield* keysAt(handle, tree, agent)
  const values = new Map<string, Stored>()
  for (const key of names) values.set(key, (yield* storedAt(handle, tree, [agent, key]))!)
  return { find: key => values.get(key), has: key => values.has(key), list: () => names }
}

export function* storedAt({ journal }: Handle, tree: Link, path: readonly string[]): Work<Stored | undefined> {
  const entry = yield* findEntry(journal.context, tree, path)
  if (entry === undefined) return undefined
  return decrypted(journal.context.encryption, yield* valueOfChild(journal.context, entry.child))
}

/** The agents that have keys in a state. */
export function* agentsIn({ journal: { context } }: Handle, tree: Link): Work<readonly string[]> {
  return yield* keysOf(context, yield* containerOfChild(context, tree))
}

/** The keys of an agent in a state. */
export function* keysAt({ journal: { context } }: Handle, tree: Link, agent: string): Work<readonly string[]> {
  const entry = yield* findEntry(context, tree, [agent])
  return yield* keysOf(context, entry === undefined ? undefined : yield* containerOfChild(context, entry.child))
}

function* keysOf(context: TreeContext, map: ContainerNode | undefined): Work<readonly string[]> {
  if (map === undefined || familyOf(map).leaf !== 'map') return []
  return (yield* entriesOf(context, map)).map(({ key }) => userKey(key))
}

/** All changes since the base, taken without waiting. Throws with every value that cannot be stored. */
export function collect({ copies }: Workspace): readonly Collected[] {
  const refused: MemoryRefusal[] = []
  const states: Record<string, object> = {}
  const collected: Collected[] = []
  for (const [agent, copy] of copies) {
    const add = (key: string, refusal: Refusal): void => {
      refused.push({ ...refusal, agent, key })
      states[agent] = copy.state
    }
    for (const one of copy.collect(add)) collected.push(one)
  }
  if (refused.length > 0) throw memoryError('checkpoint-refused', { refused, states })
  return collected
}

/** Validates the agents whose keys changed with their schemas. */
export async function validate(collected: readonly Collected[]): Promise<void> {
  for (const copy of new Set(collected.map(one => one.copy))) {
    const { schema } = copy.definition
    if (schema === undefined) continue
    const answer = validateWith(schema, { ...copy.state })
    validValues(copy.definition, 'checkpoint', answer instanceof Promise ? await answer : answer)
  }
}
