/** The version of a branch, compared with the versions of the migrations. */

import { assertReads, findVersion, getBranchHead, type Handle } from '../repo/index.ts'
import type { StoredCommit, Work } from '../store/index.ts'
import { schemaError } from './errors.ts'
import type { MigrationRegistry } from './registry.ts'

/** How the version of a branch relates to the newest migration. */
export type VersionStatus = 'up-to-date' | 'upgrade-available' | 'downgrade' | 'unversioned' | 'corrupt'

/** The version of a branch, compared with the newest migration. */
export interface VersionCheck {
  readonly ref: string
  readonly status: VersionStatus
  /** The stored version; undefined when there is none. */
  readonly found: unknown
  /** The version that the migrations lead to. */
  readonly latest: number
  /** The names of the migrations that would run. */
  readonly pending: readonly string[]
}

export function* versionCheck(handle: Handle, registry: MigrationRegistry): Work<VersionCheck> {
  const chain = registry.chain()
  const latest = registry.version
  yield* assertReads(handle, ['_meta', 'version'])
  const found = yield* findVersion(handle.journal, (yield* getBranchHead(handle)).system)
  const at = isVersion(found) ? found : found === undefined ? 0 : Number.POSITIVE_INFINITY
  const pending = chain.filter(({ from }) => from >= at).map(({ name }) => name)
  return { ref: handle.branch, status: statusOf(found, latest), found, latest, pending }
}

function statusOf(found: unknown, latest: number): VersionStatus {
  if (found === undefined) return 'unversioned'
  if (!isVersion(found)) return 'corrupt'
  if (found === latest) return 'up-to-date'
  return found < latest ? 'upgrade-available' : 'downgrade'
}

/** The version of a state; undefined when it has none. Throws when the stored version is not valid. */
export function* versionOn(handle: Handle, state: Pick<StoredCommit, 'system'>): Work<number | undefined> {
  const found = yield* findVersion(handle.journal, state.system)
  if (found === undefined || isVersion(found)) return found
  throw schemaError('version-corrupt', { ref: handle.branch, found })
}

function isVersion(found: unknown): found is number {
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0
}
