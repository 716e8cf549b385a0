/**
 * The memory as one task, or one program, works on it: a state it began from, and working copies of the agents it asked for.
 *
 * Everything here is relative to the base, so a workspace is a fork: what others land meanwhile does not show in it until it
 * is brought to their head (`catch-up.ts`), and what is done in it shows to nobody until it lands (`land-workspace.ts`).
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

/** The state that a workspace began from. */
export interface Base {
  readonly tree: Link
  readonly commit: StoredCommit | undefined
  /** False while `tree` is not the commit's own, but what this workspace made of an earlier one. */
  readonly isCommit: boolean
}

/** Values that stay in the process, by agent and key: shared by all workspaces of a memory. */
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

/** An agent's working copy, made when it is first asked for. */
export async function copyIn(workspace: Workspace, definition: AgentDefinition): Promise<WorkingCopy> {
  const { handle, codec, transients, copies } = workspace
  const known = copies.get(definition.name)
  if (known !== undefined) return known
  const source = await handle.journal.run(sourceIn(workspace, definition.name))
  const initial = definition.schema === undefined ? definition.initial : await defaultsOver(definition, codec, source)
  // Somebody else may have asked while this waited.
  const meanwhile = copies.get(definition.name)
  if (meanwhile !== undefined) return meanwhile
  const own = transients.get(definition.name) ?? new Map<string, unknown>()
  transients.set(definition.name, own)
  const copy = new WorkingCopy(definition, codec, source, own, initial)
  copies.set(definition.name, copy)
  return copy
}

/** What a schema gives for keys that are not stored; the stored ones must match it. */
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

/** An agent's stored keys at the base: read when asked for, or beforehand where the backend answers later. */
export function* sourceIn({ handle, base }: Pick<Workspace, 'handle' | 'base'>, agent: string): Work<KeySource> {
  const { journal } = handle
  const { tree } = base
  if (journal.log.sync !== undefined) {
    let names: readonly string[] | undefined
    return {
      find: key => journal.runSync(encodeAt(handle, tree, [agent, key])),
      has: key => journal.runSync(findEntry(journal.context, tree, [agent, key])) !== undefined,
      list: () => (names ??= journal.runSync(keysAt(handle, tree, agent))),
    }
  }
  const names = yield* keysAt(handle, tree, agent)
  const values = new Map<string, Stored>()
  for (const key of names) values.set(key, (yield* encodeAt(handle, tree, [agent, key]))!)
  return { find: key => values.get(key), has: key => values.has(key), list: () => names }
}

export function* encodeAt({ journal }: Handle, tree: Link, path: readonly string[]): Work<Stored | undefined> {
  const entry = yield* findEntry(journal.context, tree, path)
  if (entry === undefined) return undefined
  return decrypted(journal.context.encryption, yield* valueOfChild(journal.context, entry.child))
}

/** The agents that have something in a state. */
export function* agentsIn({ journal: { context } }: Handle, tree: Link): Work<readonly string[]> {
  return yield* keysOf(context, yield* containerOfChild(context, tree))
}

function* keysAt({ journal: { context } }: Handle, tree: Link, agent: string): Work<readonly string[]> {
  const entry = yield* findEntry(context, tree, [agent])
  return yield* keysOf(context, entry === undefined ? undefined : yield* containerOfChild(context, entry.child))
}

function* keysOf(context: TreeContext, map: ContainerNode | undefined): Work<readonly string[]> {
  if (map === undefined || familyOf(map).leaf !== 'map') return []
  return (yield* entriesOf(context, map)).map(({ key }) => userKey(key))
}

/** All that is not what the base has, taken in one moment; or a refusal that names everything that cannot be stored. */
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

/** Asks the schemas of the agents whose keys changed. */
export async function validate(collected: readonly Collected[]): Promise<void> {
  for (const copy of new Set(collected.map(one => one.copy))) {
    const { schema } = copy.definition
    if (schema === undefined) continue
    const answer = validateWith(schema, { ...copy.state })
    validValues(copy.definition, 'checkpoint', answer instanceof Promise ? await answer : answer)
  }
}
