/**
 * The namespaces of a store: repositories of which none sees another.
 *
 * A namespace is there when its journal has an entry. Making one writes a note into it, deleting one a note into the namespace of
 * the caller; under an idempotency key, the note is what a repetition finds.
 */

import { findDoneOnce, type Handle, recordEntries, repoError } from '../repo/index.ts'
import { open, type Repository } from '../repository/index.ts'
import { ask, defaultNamespace, openJournal, readEntry, readGenesis } from '../store/index.ts'
import { type AnyRepository, assertOperator, readable, writable } from './repository.ts'

/** The namespaces of the store that a repository is in. */
export interface Namespaces {
  /** Their names; for a principal its own. */
  list(): Promise<readonly string[]>
  /** Makes one. To use it, open the store with its name. Fails with `namespace-exists`. */
  create(name: string): Promise<void>
  /** Deletes one with everything in it, but for the default one and that of this repository. */
  delete(name: string): Promise<void>
}

/** The namespaces of a store, for its operator. A repository from `once` makes or deletes one once under its key. */
export function namespaces(repo: AnyRepository): Namespaces {
  return {
    list: async () => listed(readable(repo)),
    create: async name => create(writable(repo, 'Creating a namespace'), name),
    delete: async name => drop(writable(repo, 'Deleting a namespace'), name),
  }
}

async function listed({ identity, journal, shared }: Handle): Promise<readonly string[]> {
  if (identity !== undefined) return [journal.namespace]
  return [...new Set([defaultNamespace, journal.namespace, ...(await shared.backend.namespaces())])].sort()
}

async function create(handle: Handle, name: string): Promise<void> {
  await assertOperator(handle, 'Creating a namespace')
  await using made = await openBeside(handle, name)
  const { journal } = made.handle
  const { once } = handle
  const wasMade = async (): Promise<boolean> =>
    (await journal.run(findDoneOnce({ ...made.handle, once }))) !== undefined
  // The list first: a repetition that another caller serves after this look is found below, or by the append.
  const isThere = (await listed(handle)).includes(name)
  if (await wasMade()) return
  const exists = (): Error => repoError('namespace-exists', { namespace: name })
  if (isThere) throw exists()
  const body = { note: 'namespace created' }
  const record = { kind: 'note', agent: handle.who.agent, body, request: once?.request }
  // Only the first entry of a journal comes before it.
  const outcome = await journal.run(recordEntries(made.handle, [{ capability: 'admin' }], [record], { after: 1 }))
  if (outcome.kind !== 'done' && !(await wasMade())) throw exists()
}

/** Another namespace of the store, opened with the settings of this one. Closing it leaves the store open. */
async function openBeside({ shared, journal, who }: Handle, namespace: string): Promise<Repository> {
  const { backend, signing } = shared
  const lent = { ...backend, close: async () => {}, [Symbol.asyncDispose]: async () => {} }
  const { durability, ids } = journal
  const clock = (): Date => new Date(journal.now())
  return open(lent, { namespace, agent: who.agent, durability, ids, clock, signer: signing?.signer })
}

async function drop(handle: Handle, name: string): Promise<void> {
  await assertOperator(handle, 'Deleting a namespace')
  const { journal, shared, who } = handle
  if (name === defaultNamespace || name === journal.namespace) throw repoError('namespace-kept', { namespace: name })
  const isThere = (await shared.backend.namespaces()).includes(name)
  const origin = isThere ? await originOf(handle, name) : undefined
  const done = await journal.run(findDoneOnce(handle))
  if (done !== undefined) {
    const { record } = await journal.run(readEntry(done))
    // What has another origin was made after the deletion.
    if (origin === undefined || (record.body as { readonly origin?: unknown }).origin !== origin) return
  } else {
    if (origin === undefined) throw repoError('namespace-not-found', { namespace: name })
    // Before the deletion, so that a repetition after a crash knows which journal was meant.
    const body = { note: 'namespace deleted', namespace: name, origin }
    await journal.run(recordEntries(handle, [{ capability: 'admin' }], [{ kind: 'note', agent: who.agent, body }]))
  }
  await shared.backend.dropNamespace(name)
}

async function originOf({ shared }: Handle, namespace: string): Promise<string | undefined> {
  const journal = await openJournal(shared.backend, { namespace })
  const { seq } = await journal.run(ask(log => log.head()))
  return seq === 0 ? undefined : (await journal.run(readGenesis()))?.origin
}
