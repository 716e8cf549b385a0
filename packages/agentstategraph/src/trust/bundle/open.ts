/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Opens a bundle: checks all of it, and makes what passed readable like a state of a repository.
 *
 * A bundle that failed a check cannot be read: its verdict names the check, and so does the error of every read. A level
 * that was not checked is in the verdict and does not prevent reading.
 */

import { defaultLimits } from '../../core/index.ts'
import {
  branchRef,
  type Commit,
  type CommitFilter,
  type Handle,
  mainBranch,
  newAccessCache,
  type Revision,
} from '../../repo/index.ts'
import { commitListing } from '../../repository/commits.ts'
import type { Listing } from '../../repository/index.ts'
import { Snapshot } from '../../repository/snapshot.ts'
import type { Work } from '../../store/index.ts'
import { trustError } from '../errors.ts'
import { BundleBuilder, type Outline } from './build.ts'
import type { Inventory } from './inventory.ts'
import { type BundleOptions, readBundle } from './read.ts'
import type { Verdict } from './verdict.ts'

/** A sealed epoch to read: the state at its end, and its history. */
export class Bundle<State = unknown> extends Snapshot<State> implements AsyncDisposable {
  readonly verdict: Verdict
  /** What is in it; undefined when a check of its integrity failed. */
  readonly inventory: Inventory | undefined
  readonly #refusal: Error | undefined

  constructor(handle: Handle, revision: Revision, verdict: Verdict, inventory?: Inventory, refusal?: Error) {
    super(handle, revision)
    this.verdict = verdict
    this.inventory = inventory
    this.#refusal = refusal
  }

  protected override run<T>(steps: Work<T>): Promise<T> {
    return this.#refusal === undefined ? super.run(steps) : Promise.reject(this.#refusal)
  }

  /** The commits of the epoch that a filter lets through. */
  query(filter: CommitFilter = {}): Listing<Commit> {
    return commitListing(this.handle, filter, steps => this.run(steps))
  }

  /** The state at a branch, tag, commit or moment of the epoch. */
  at(revision: Revision): Bundle<State> {
    return new Bundle(this.handle, revision, this.verdict, this.inventory, this.#refusal)
  }

  async close(): Promise<void> {
    this.handle.shared.isClosed = true
    await this.handle.shared.backend.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Opens a bundle to read it. Lines may come with or without their line feeds. */
export async function openBundle<State = unknown>(
  lines: AsyncIterable<string> | Iterable<string>,
  options: BundleOptions = {},
): Promise<Bundle<State>> {
  let builder: BundleBuilder | undefined
  const { verdict, inventory, epoch } = await readBundle(lines, options, async header => {
    builder = await BundleBuilder.open(header)
    return builder
  }).catch(async error => {
    await builder?.backend.close()
    throw error
  })
  builder ??= await BundleBuilder.open(nothing)
  const handle = handleOf(builder)
  if (verdict.failed !== undefined) {
    const { detail = '' } = verdict.checks.find(({ status }) => status === 'failed')!
    const refusal = trustError('bundle-invalid', { epoch, check: verdict.failed, detail })
    await builder.backend.close()
    return new Bundle(handle, mainBranch, verdict, inventory, refusal)
  }
  const refusal = inventory!.profile === 'redacted' ? trustError('state-withheld', { epoch: epoch! }) : undefined
  return new Bundle(handle, await newestOf(handle), verdict, inventory, refusal)
}

/** Stands in for a bundle that failed before its entries. */
const nothing: Outline = { from: 1, epoch: '', profile: 'redacted' }

function handleOf({ journal, backend }: BundleBuilder): Handle {
  return {
    shared: {
      backend,
      journal,
      checks: [],
      access: newAccessCache(),
      heads: new Map(),
      queues: new Map(),
      policies: {},
      isReadOnly: true,
      isOpenedToRead: true,
      onWarning: () => {},
      fault: undefined,
      signing: undefined,
      tail: undefined,
      index: undefined,
      limits: defaultLimits,
      isClosed: false,
      onClose: new Set(),
    },
    journal,
    branch: mainBranch,
    who: { agent: 'auditor', tags: [], intent: undefined, trace: undefined },
  }
}

/** The main branch if it moved within the epoch, else the newest landed commit. */
async function newestOf(handle: Handle): Promise<Revision> {
  if ((await handle.journal.log.ref(branchRef(mainBranch))) !== null) return mainBranch
  const [newest] = await commitListing(handle, { limit: 1 }, steps => handle.journal.run(steps))
  return newest === undefined ? mainBranch : { id: newest.id }
}
