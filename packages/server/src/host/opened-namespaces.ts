/**
 * The namespaces of one store, each opened once and kept open.
 *
 * They share the backend and nothing else: no cache, head or journal. A namespace exists when it has an entry, or is the default
 * one; opening another is an error and creates nothing.
 */
import { type Backend, type OpenOptions, open, type Repository } from 'agentstategraph'
import { defaultNamespace, repoError } from 'agentstategraph/internal'
import type { Namespaces } from 'agentstategraph/maintenance'
import { homeOfKey } from './access-of.ts'

/** An idempotency key, and what it stands for. */
export interface OnceAsked {
  readonly key: string
  readonly asked: unknown
}

export interface OpenedNamespaces {
  get(namespace: string | undefined, mode: 'write' | 'read-only'): Promise<Repository>
  names(): Promise<readonly string[]>
  /** The namespace of a key, without opening one; undefined when no namespace has it. */
  homeOf(key: string): Promise<string | undefined>
  /** What makes and deletes namespaces, as an agent and, under an idempotency key, once. */
  changed(agent: string, once: OnceAsked | undefined): Promise<Namespaces>
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
        throw repoError('namespace-not-found', { namespace })
      }
      const repo = await openOnce(namespace, mode)
      if (!repo.handle.journal.isReplaced) return repo
      // Another process dropped and recreated the namespace. The call that noticed it failed; this one opens the new one.
      await closeAll([`${mode} ${namespace}`])
      if (!(await exists(namespace))) throw repoError('namespace-not-found', { namespace })
      return openOnce(namespace, mode)
    },
    async names() {
      return [...new Set([defaultNamespace, ...(await backend.namespaces())])].sort()
    },
    homeOf: key => homeOfKey(backend, key),
    async changed(agent, once) {
      const own = (await openOnce(defaultNamespace, 'write')).as(agent)
      const { namespaces } = await import('agentstategraph/maintenance')
      const all = namespaces(once === undefined ? own : own.once(once.key, once.asked))
      return {
        ...all,
        async delete(namespace) {
          if (namespace !== defaultNamespace) await closeAll([`write ${namespace}`, `read-only ${namespace}`])
          await all.delete(namespace)
        },
      }
    },
    async close() {
      await closeAll([...opened.keys()])
    },
  }
}
