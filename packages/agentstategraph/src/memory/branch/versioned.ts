/// <reference lib="esnext.disposable" preserve="true" />

/**
 * Durable memory: a branch of a repository, as plain objects.
 *
 * Changes to the objects of `of` are pending until `checkpoint`. Each task works on its own workspace and lands at its end;
 * what it landed then shows in those objects. The class only composes; the work is done in the other files of this folder.
 */

import { type ClassCodec, checkOptions, copyGiven, hexOfId, optionsOf } from '../../core/index.ts'
import {
  assertReadsBranch,
  assertWritable,
  findBranchHead,
  findWritten,
  locate,
  type Merged,
  type MergeOptions,
  mainBranch,
  type Revision,
  refNotFound,
  repoError,
  resolve,
  rollback,
  rollbackRequest,
  type Why,
  type Written,
} from '../../repo/index.ts'
import { conflictOptions, mergeOptions, whyOptions } from '../../repository/call-options.ts'
import { open, type Store } from '../../repository/open.ts'
import { Repository } from '../../repository/repository.ts'
import { memoryError } from '../errors.ts'
import { definitionOf, type Remembering } from '../state/agent-definition.ts'
import { rulesOf } from './agent-rules.ts'
import { catchUp } from './catch-up.ts'
import { type Checkout, checkoutAt } from './checkout.ts'
import { checkpointWorkspace } from './checkpoint.ts'
import { checkpointRequest } from './land-workspace.ts'
import { mergeMemory } from './merge-memory.ts'
import { copyOf, endWorkspace, exclusively, partsWith, showLanded, type VersionedParts } from './versioned-parts.ts'
import { openWorkspace } from './workspace.ts'

/** Options of `Versioned.open`. */
export interface VersionedOptions {
  /** The branch of the memory: `main` unless given. */
  branch?: string | undefined
  /** Codecs for instances of your own classes, for a store that is opened here. */
  classes?: readonly ClassCodec[] | undefined
}

const openOptions = optionsOf<VersionedOptions>('Versioned.open', { branch: true, classes: true })
const checkpointWhy = conflictOptions('checkpoint')
const rollbackWhy = whyOptions('rollback')
const mergeWhy = mergeOptions('merge')

/** One for all copies of the library in a process: a program has its own, and gives the tasks of an app a memory that it opened. */
const known = sharedParts(globalThis)

function sharedParts(all: Record<symbol, unknown>): WeakMap<Versioned, VersionedParts> {
  const name = Symbol.for('agentstategraph.memory')
  all[name] ??= new WeakMap()
  return all[name] as WeakMap<Versioned, VersionedParts>
}

/** Memory in a repository: each task ends in a checkpoint, and the past can be read. */
export class Versioned implements AsyncDisposable {
  /** The repository, with log, blame, diff, tags, queries and epochs. An agent's keys are at `/<agent>/<key>`. */
  readonly repo: Repository
  readonly #ownsRepository: boolean

  private constructor(repo: Repository, parts: VersionedParts, ownsRepository: boolean) {
    this.repo = repo
    this.#ownsRepository = ownsRepository
    known.set(this, parts)
  }

  /** Opens a memory in a store, or on an open repository, which stays open. Without a store it is kept in this process. */
  static async open(store?: Store | Repository, options: VersionedOptions = {}): Promise<Versioned> {
    checkOptions(openOptions, options)
    const isOpen = store instanceof Repository
    const repo = isOpen ? store : await open(store, { classes: options.classes })
    try {
      return await Versioned.#on(repo.on(options.branch ?? repo.branchName), !isOpen)
    } catch (error) {
      if (!isOpen) await repo.close()
      throw error
    }
  }

  static async #on(repo: Repository, ownsRepository: boolean): Promise<Versioned> {
    const { handle } = repo
    const { journal, branch } = handle
    if (handle.shared.isClosed) throw repoError('closed', { what: 'The repository' })
    await journal.run(assertReadsBranch(handle, branch))
    const head = await journal.run(findBranchHead(handle))
    // Only in an empty repository does the first checkpoint create the branch: elsewhere an unknown name is a typing error.
    if (head === undefined && (await journal.run(findBranchHead({ ...handle, branch: mainBranch }))) !== undefined)
      throw await journal.run(refNotFound(handle, branch))
    const transients = new Map()
    const workspace = await journal.run(openWorkspace(handle, transients))
    return new Versioned(repo, partsWith(handle, workspace, transients, new Map(), undefined), ownsRepository)
  }

  /** A task's view of a memory: its own workspace over the same repository. */
  static bound(memory: Versioned, parts: VersionedParts): Versioned {
    return new Versioned(memory.repo, parts, false)
  }

  /** An agent's memory. Returns the same object every time until a rollback. */
  async of<S>(agent: Remembering<S>): Promise<S> {
    const parts = versionedParts(this)
    const definition = definitionOf(agent)
    return exclusively(parts, async () => {
      await parts.handle.journal.run(catchUp(parts.workspace))
      return (await copyOf(parts, definition)).state as S
    })
  }

  /** A small edit of a large value, without encoding or comparing all of it. */
  async update<S, K extends keyof S & string>(
    agent: Remembering<S>,
    key: K,
    edit: (value: S[K]) => void,
  ): Promise<void> {
    const parts = versionedParts(this)
    const definition = definitionOf(agent)
    await exclusively(parts, async () => {
      await parts.handle.journal.run(catchUp(parts.workspace))
      ;(await copyOf(parts, definition)).update(key, edit as never)
    })
  }

  /** Commits what changed; undefined when nothing did. Tasks do this at their end. */
  async checkpoint(
    given: Why<Pick<MergeOptions, 'policies' | 'resolutions'>> = 'Checkpoint',
  ): Promise<Written | undefined> {
    if (typeof given !== 'string') checkOptions(checkpointWhy, given)
    const why = copyGiven(given)
    const parts = versionedParts(this)
    const options = typeof why === 'string' ? {} : why
    return await exclusively(parts, async () => {
      assertWritable(this.repo.handle.shared, 'checkpoint')
      const { handle } = parts
      const request = checkpointRequest(handle, why)
      // Without an idempotency key nothing is awaited before the changes are collected, so later writes are not in the commit.
      const done = request === undefined ? undefined : await handle.journal.run(findWritten(handle, request))
      if (done !== undefined) return done
      let written = await checkpointWorkspace(parts.workspace, why, options)
      for (const workspace of parts.held) {
        // Only the first commit has the idempotency key: with it, the others would count as repetitions of the first.
        const reason = written === undefined || typeof why === 'string' ? why : { ...why, idempotencyKey: undefined }
        written = (await checkpointWorkspace(workspace, reason, options)) ?? written
        parts.held.delete(workspace)
        endWorkspace(workspace, 'task')
      }
      return written
    })
  }

  /** The memory as it was at a revision, read-only. */
  async checkout(revision: Revision): Promise<Checkout> {
    const { handle } = versionedParts(this)
    if (handle.shared.isClosed) throw repoError('closed', { what: 'The memory' })
    const { commit, names } = await handle.journal.run(locate(handle, revision))
    await handle.journal.run(assertReadsBranch(handle, ...names))
    return checkoutAt(handle, commit)
  }

  /** Restores the memory to a revision by a new commit. Pending changes are dropped, and `of` returns new objects. */
  async rollback(to: Revision, said?: Why): Promise<Written> {
    if (typeof said !== 'string') checkOptions(rollbackWhy, said)
    const why = copyGiven(said)
    const parts = versionedParts(this)
    const { handle } = parts
    return await exclusively(parts, async () => {
      assertWritable(this.repo.handle.shared, 'rollback')
      const done = await handle.journal.run(findWritten(handle, rollbackRequest(handle, to, why)))
      if (done !== undefined) return done
      const { id } = await handle.journal.run(resolve(handle, to))
      const reason = why ?? `Roll back to ${hexOfId(id).slice(0, 12)}`
      const written = await handle.journal.run(rollback(handle, to, reason))
      for (const workspace of [parts.workspace, ...parts.held]) endWorkspace(workspace, 'rollback')
      parts.held.clear()
      parts.workspace = await handle.journal.run(openWorkspace(handle, parts.transients))
      return written
    })
  }

  /** A memory on a new branch, with the content of this one. Pending changes are committed here first. */
  async fork(branch: string): Promise<Versioned> {
    await this.checkpoint(`Checkpoint before the fork ${branch}`)
    const { handle } = versionedParts(this)
    const head = await handle.journal.run(findBranchHead(handle))
    if (head === undefined)
      await this.repo.commit({ description: 'Begin the memory', category: 'Checkpoint', allowEmpty: true }, () => {})
    return Versioned.#on(await this.repo.branch(branch), false)
  }

  /** Merges a fork, or any branch, into this memory. Pending changes stay pending. */
  async merge(source: Versioned | string, said?: Why<MergeOptions>): Promise<Merged> {
    if (typeof said !== 'string') checkOptions(mergeWhy, said)
    const why = copyGiven(said)
    const parts = versionedParts(this)
    if (typeof source !== 'string') {
      const other = versionedParts(source)
      if (other.handle.shared !== parts.handle.shared)
        throw memoryError('memory-foreign', { source: other.handle.branch })
      await source.checkpoint(`Checkpoint before the merge into ${parts.handle.branch}`)
    }
    const name = typeof source === 'string' ? source : source.repo.branchName
    const rules = await rulesOf(parts.agents.values(), parts.workspace.codec)
    const merged = await exclusively(parts, () => {
      assertWritable(this.repo.handle.shared, 'merge')
      const given =
        why === undefined ? { description: `Merge ${name}` } : typeof why === 'string' ? { description: why } : why
      return parts.handle.journal.run(mergeMemory(parts.handle, name, given, rules))
    })
    await showLanded(parts)
    return merged
  }

  /** Closes the memory. Pending changes are lost: checkpoint first. A repository that was passed to `open` stays open. */
  async close(): Promise<void> {
    const parts = versionedParts(this)
    await parts.queue
    for (const workspace of [parts.workspace, ...parts.held]) endWorkspace(workspace, 'closed')
    if (this.#ownsRepository) await this.repo.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

export function versionedParts(memory: Versioned): VersionedParts {
  return known.get(memory)!
}
