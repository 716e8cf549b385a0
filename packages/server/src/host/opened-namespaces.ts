/**
 * The namespaces of one store, each opened once and kept open.
 *
 * They share the backend and nothing else: no cache, head or journal. A namespace exists when it has an entry, or is the default
 * one; opening another is an error and creates nothing.
 */
import { type Backend, type OpenOptions, open, type Repository } from 'agentstategraph'
import { appendEntries } from 'agentstategraph/internal'
import { serverError } from '../wire/errors.ts'
import { homeOfKey } from './access-of.ts'

export const defaultNamespace = 'default'

export interface OpenedNamespaces {
  get(namespace: string | undefined, mode: 'write' | 'read-only'): Promise<Repository>
  names(): Promise<readonly string[]>
  /** The namespace of a key, without opening one; undefined when no namespace has it. */
  homeOf(key: string): Promise<string | undefined>
  create(namespace: string, agent: string): Promise<void>
  delete(namespace: string): Promise<void>
  close(): Promise<void>
}

export function openedNamespaces(backend: Backend, options: Omit<OpenOptions, 'namespace'>): OpenedNamespaces {
  const opened = new Map<string, Promise<Repository>>()
  // Closing one repository must not close the shared backend.
  const lent: Backend = { ...backend, close: async () => {}, [Symbol.asyncDispose]: async () => {} }

  function openOnce(namespace: string, mode: 'write' | 'read-only'): Promise<Repository> {
    const key = `${mode} ${namespace}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const readOnly = options.readOnly === true || mode === 'read-only'
    const opening = open(lent, { ...options, namespace, readOnly })
    opened.set(key, opening)
    // The next call tries again.
    opening.catch(() => opened.delete(key))
    return opening
  }

  async function exists(namespace: string): Promise<boolean> {
    return namespace === defaultNamespace || (await backend.namespaces()).includes(namespace)
  }

  async function closeAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const opening = opened.get(key)
      opened.delete(key)
      await (await opening)?.close()
    }
  }

  return {
    async get(namespace = defaultNamespace, mode) {
      if (!opened.has(`${mode} ${namespace}`) && !(await exists(namespace))) {
        throw serverError('namespace-not-found', { namespace })
      }
      const repo = await openOnce(namespace, mode)
      if (!repo.handle.journal.isReplaced) return repo
      // Another process dropped and recreated the namespace. The call that noticed it failed; this one opens the new one.
      await closeAll([`${mode} ${namespace}`])
      if (!(await exists(namespace))) throw serverError('namespace-not-found', { namespace })
      return openOnce(namespace, mode)
    },
    async names() {
      return [...new Set([defaultNamespace, ...(await backend.namespaces())])].sort()
    },
    homeOf: key => homeOfKey(backend, key),
    async create(namespace, agent) {
      if (await exists(namespace)) throw serverError('namespace-exists', { namespace })
      const { journal } = (await openOnce(namespace, 'write')).handle
      await journal.run(appendEntries(journal, [{ kind: 'note', agent, body: { note: 'namespace created' } }]))
    },
    async delete(namespace) {
      if (namespace === defaultNamespace) throw serverError('namespace-kept', { namespace })
      if (!(await exists(namespace))) throw serverError('namespace-not-found', { namespace })
      await closeAll([`write ${namespace}`, `read-only ${namespace}`])
      await backend.dropNamespace(namespace)
    },
    async close() {
      await closeAll([...opened.keys()])
    },
  }
}
