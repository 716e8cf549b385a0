/** Copies of a whole store while it is open, and their return. */

import { checkOptions, optionsOf } from '../core/index.ts'
import { repoError, type Signer } from '../repo/index.ts'
import { open } from '../repository/index.ts'
import { openAccepting } from '../repository/open.ts'
import { restoredStore } from '../repository/restored-store.ts'
import type { Backend } from '../store/index.ts'
import {
  type AnyRepository,
  assertOperator,
  type OnProgress,
  type ProgressOptions,
  progressOptions,
  readable,
} from './repository.ts'
import { verify } from './verify.ts'

/** What a backup or a restored store holds. */
export interface BackupReport {
  readonly namespaces: readonly string[]
  /** How many journal entries were verified. */
  readonly entries: number
}

const backupOptions = progressOptions('backup')

/**
 * Writes the whole store, with all its namespaces, to a new file, as it is at one moment, and verifies the copy. Others may
 * use the store meanwhile. Nothing is left behind when it fails. The file is a store: it can be opened. It is for the operator.
 */
export async function backup(repo: AnyRepository, file: string, options: ProgressOptions = {}): Promise<BackupReport> {
  checkOptions(backupOptions, options)
  const handle = readable(repo)
  await assertOperator(handle, 'A backup')
  const { backend } = handle.shared
  if (backend.backup === undefined) throw repoError('backup-unsupported', {})
  const { check, report } = verifier(options.onProgress)
  await backend.backup(file, check)
  return report()
}

/** Options of `restore`. */
export interface RestoreOptions extends ProgressOptions {
  /** Whether a store that exists is replaced. It is kept under another name. */
  replace?: boolean | undefined
  /** Why, for the journal of a store that had more entries than the backup. */
  reason?: string | undefined
  /** Who does it. */
  agent?: string | undefined
  /** The key of a store that was written with one. Without it the new mark has no signature. */
  signer?: Signer | undefined
}

const restoreOptions = optionsOf<RestoreOptions>('restore', {
  replace: true,
  reason: true,
  agent: true,
  signer: true,
  onProgress: true,
})

/** What `restore` did. */
export interface RestoreReport extends BackupReport {
  /** The name that a replaced store has now. */
  readonly replaced?: string
}

/**
 * Makes a store from a backup, which is verified first. Where the marks beside the store say that it had more entries, a
 * note in the journal accepts that.
 */
export async function restore(file: string, store: string, options: RestoreOptions = {}): Promise<RestoreReport> {
  checkOptions(restoreOptions, options)
  const { replace = false, reason = 'Restored from a backup', agent, signer, onProgress } = options
  const { check, report } = verifier(onProgress)
  const replaced = await restoredStore(file, store, replace, check)
  for (const namespace of report().namespaces) {
    const repo = await openAccepting(store, { namespace, agent, signer }, reason)
    await repo.close()
  }
  return { ...report(), ...(replaced === undefined ? {} : { replaced }) }
}

/** Verifies all namespaces of a copy, and throws when one is damaged. */
function verifier(onProgress: OnProgress | undefined): {
  check(copy: Backend): Promise<void>
  report(): BackupReport
} {
  const namespaces: string[] = []
  let entries = 0
  return {
    async check(copy) {
      // The caller that opened the copy closes it; the first of its namespaces does not.
      const kept = { ...copy, close: async () => {} }
      for (const namespace of await copy.namespaces()) {
        await using repo = await open(kept, { namespace, readOnly: true })
        const { ok, checked, damage } = await verify(repo, { onProgress })
        if (!ok)
          throw repoError('backup-damaged', { namespace, damage: damage.map(({ where, what }) => `${where}: ${what}`) })
        namespaces.push(namespace)
        entries += checked
      }
    },
    report: () => ({ namespaces, entries }),
  }
}
