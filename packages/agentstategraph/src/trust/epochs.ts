/**
 * The epochs of a repository: create, seal, sign, archive, list and export.
 *
 * An epoch is a range of the namespace's journal, so every commit in the range belongs to it and epochs may overlap. Its id
 * is a ref that moves by compare-and-swap: of two concurrent seals, one succeeds.
 */

import { checkOptions, coreError, isMoment, isWellFormed, optionsOf, utf8Length } from '../core/index.ts'
import {
  assertEpochsKnown,
  assertMay,
  assertWritable,
  currentAccess,
  type EpochRecord,
  type EpochStatus,
  findEpoch,
  getEpoch,
  type Handle,
  lastEntryUntil,
  listEpochs,
  type Revision,
  readScopeOf,
  repoError,
  resolve,
} from '../repo/index.ts'
import { checkedText } from '../repo/records/info.ts'
import type { Repository } from '../repository/index.ts'
import { type KeyOrder, keyedListing, type Listing } from '../repository/listing.ts'
import type { Work } from '../store/index.ts'
import { type ExportOptions, exportEpoch } from './bundle/export.ts'
import { appendCosignature, witnessRequest } from './cosign.ts'
import { type Epoch, epochFrom, recordEpoch, type SealedEpoch } from './epoch.ts'
import { trustError } from './errors.ts'
import { appendProof, appendSeal } from './seal.ts'

/** The epochs of a repository: create, seal, sign, export. */
export interface Epochs {
  /** Opens an epoch. Everything that lands from now on belongs to it; with `since`, what landed from then on too. */
  create(id: string, description: string, options?: EpochOptions): Promise<Epoch>
  /** Ends an epoch. From then on no change to it goes unnoticed. */
  seal(id: string, summary: string): Promise<SealedEpoch>
  /** Signs a sealed epoch that has no signature: it was sealed without a key, or the key could not be reached. */
  sign(id: string): Promise<SealedEpoch>
  /**
   * The body of the request (`POST /add-checkpoint`) that asks a witness to sign the head of an epoch. `seen` is the size of
   * the last head that it signed of this log, 0 if there was none; a witness answers a wrong size with the right one.
   */
  witnessRequest(id: string, seen: number): Promise<string>
  /** Stores the answer of a witness with the epoch, after checking it with the public key of that witness. */
  cosign(id: string, answer: string, key: string): Promise<SealedEpoch>
  /** Archives a sealed epoch. It can still be read and exported, and its commits are kept. */
  archive(id: string): Promise<void>
  get(id: string): Promise<Epoch>
  find(id: string): Promise<Epoch | undefined>
  /** In the order in which they begin. */
  list(filter?: EpochFilter): Listing<Epoch>
  /** Lines of a bundle: write them to a file, a socket, a response. */
  export(id: string, options?: ExportOptions): AsyncIterable<string>
}

/** Options of `create` of epochs. */
export interface EpochOptions {
  rootIntents?: readonly string[] | undefined
  /** Where it begins, when that is earlier than now: a moment, or a commit, which belongs to it. */
  since?: Revision | undefined
}

/** Options of `list` of epochs. */
export interface EpochFilter {
  status?: EpochStatus | undefined
}

const createOptions = optionsOf<EpochOptions>('create', { rootIntents: true, since: true })
const listOptions = optionsOf<EpochFilter>('the list of epochs', { status: true })

/** By where they begin. Several may begin with the same entry. */
const beginningOrder: KeyOrder<Epoch> = {
  key: ({ fromSeq, id }) => `${fromSeq} ${id}`,
  compare: (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : a > b ? 1 : 0),
}

const MAX_ID_BYTES = 128
const MAX_TEXT_BYTES = 1024
const MAX_ROOT_INTENTS = 64

/**
 * The epochs of a repository.
 *
 * @example
 * ```ts
 * import { open } from 'agentstategraph'
 * import { epochs } from 'agentstategraph/trust'
 *
 * const repo = await open()
 * await epochs(repo).create('incident', 'Recovery of node 3')
 * await repo.set('/node3', 'up', 'Restarted')
 * await epochs(repo).seal('incident', 'Recovered')
 * ```
 */
export function epochs(repo: Pick<Repository, 'handle'>): Epochs {
  const { handle } = repo
  const { journal } = handle

  function read(): Handle {
    if (handle.shared.isClosed) throw repoError('closed', { what: 'The repository' })
    return handle
  }

  /** The handle, once its right to seal is checked: a refusal that came later would tell what an epoch is like. */
  async function sealing(): Promise<Handle> {
    await journal.run(assertMaySeal(read()))
    return handle
  }

  async function write(operation: string): Promise<Handle> {
    assertWritable(read().shared, operation)
    return sealing()
  }

  function* shown(id: string): Work<Epoch> {
    yield* assertEpochsKnown(handle, id)
    return yield* epochFrom(handle, yield* getEpoch(id))
  }

  const show = (id: string): Promise<Epoch> => journal.run(shown(id))

  async function showSealed(id: string): Promise<SealedEpoch> {
    const epoch = await show(id)
    if (epoch.status === 'open') throw trustError('epoch-open', { epoch: id })
    return epoch
  }

  return {
    async create(id, description, options = {}) {
      checkOptions(createOptions, options)
      await journal.run(open(await write('create'), checkedId(id), description, options))
      return show(id)
    },
    async seal(id, summary) {
      checkedText('summary', summary, MAX_TEXT_BYTES)
      await journal.run(appendSeal(await write('seal'), id, summary))
      await appendProof(handle, id)
      return showSealed(id)
    },
    async sign(id) {
      if ((await write('sign')).shared.signing === undefined)
        throw trustError('signer-missing', { what: 'signing an epoch' })
      assertSealed(await journal.run(getEpoch(id)))
      await appendProof(handle, id)
      return showSealed(id)
    },
    async witnessRequest(id, seen) {
      return journal.run(witnessRequest(await sealing(), id, seen))
    },
    async cosign(id, answer, key) {
      await appendCosignature(await write('cosign'), id, answer, key)
      return showSealed(id)
    },
    archive: async id => journal.run(archiveEpoch(await write('archive'), id)),
    async get(id) {
      read()
      return show(id)
    },
    async find(id) {
      read()
      if ((await journal.run(readScopeOf(handle)))?.isBlank === true) return undefined
      const record = await journal.run(findEpoch(id))
      return record === undefined ? undefined : journal.run(epochFrom(handle, record))
    },
    list(filter = {}) {
      const { status } = filter
      const all = async (): Promise<readonly Epoch[]> => {
        const found: Epoch[] = []
        if ((await read().journal.run(readScopeOf(handle)))?.isBlank === true) return found
        for (const record of await read().journal.run(listEpochs())) {
          if (status === undefined || record.status === status) found.push(await journal.run(epochFrom(handle, record)))
        }
        return found
      }
      return keyedListing(all, beginningOrder, listOptions, filter)
    },
    export: (id, options) => exportEpoch(repo, id, options),
  }
}

/** A witness is asked in a mode that only proposes too: that changes nothing here. */
function* assertMaySeal(handle: Handle): Work<void> {
  yield* assertMay({ ...handle, proposes: false }, yield* currentAccess(handle), { capability: 'seal' })
}

function* open(handle: Handle, id: string, description: string, { rootIntents = [], since }: EpochOptions): Work<void> {
  checkedText('description', description, MAX_TEXT_BYTES)
  for (const intent of rootIntents) checkedText('root intent', intent, 256)
  if (rootIntents.length > MAX_ROOT_INTENTS)
    throw trustError('root-intents-many', { count: rootIntents.length, limit: MAX_ROOT_INTENTS })
  const from = since === undefined ? {} : { from: yield* firstEntry(handle, since) }
  const outcome = yield* recordEpoch(handle, null, { epoch: id, status: 'open', description, rootIntents, ...from })
  if (outcome.kind !== 'done') throw trustError('epoch-exists', { epoch: id })
}

/** The first entry at or after a moment, or that of a commit. */
function* firstEntry(handle: Handle, since: Revision): Work<number> {
  if (!(since instanceof Date)) return (yield* resolve(handle, since)).seq
  const time = since.getTime()
  if (!isMoment(time)) throw coreError('option-invalid', { field: 'since', reason: 'it is not a moment' })
  return (yield* lastEntryUntil(time - 1)) + 1
}

function* archiveEpoch(handle: Handle, id: string): Work<void> {
  for (;;) {
    const { at, status } = assertSealed(yield* getEpoch(id))
    if (status === 'archived') return
    const outcome = yield* recordEpoch(handle, at, { epoch: id, status: 'archived' })
    if (outcome.kind === 'done') return
  }
}

function assertSealed(epoch: EpochRecord): EpochRecord & { readonly seal: NonNullable<EpochRecord['seal']> } {
  const { id, seal } = epoch
  if (seal === undefined) throw trustError('epoch-open', { epoch: id })
  return { ...epoch, seal }
}

/** Returns an id that an epoch can have, or throws. Ids become names of refs and of files. */
function checkedId(id: string): string {
  const refuse = (reason: string): Error => trustError('epoch-id-invalid', { epoch: String(id), reason })
  if (typeof id !== 'string' || id === '') throw refuse('it is empty')
  if (!isWellFormed(id)) throw refuse('it contains a lone surrogate')
  if (utf8Length(id) > MAX_ID_BYTES) throw refuse(`it has more than ${MAX_ID_BYTES} bytes`)
  if (/[\p{Cc}/\\]/u.test(id)) throw refuse('it contains a slash or a control character')
  if (id === '.' || id === '..' || id.trim() !== id) throw refuse('it is dots, or begins or ends with a space')
  return id
}
