/**
 * Idempotency keys: which request a key stands for, and what was done under it.
 *
 * A key belongs to the principal that used it, and is kept as a hash. The entry that a request wrote names the key and the
 * digest of the request, so both are covered by the Merkle log; the backend's keys are an index from key to entry.
 */

import { bytesOfId, canonicalText, encode, hashText, parsePath, randomId, type Stored } from '../../core/index.ts'
import { ask, type EntryRequest, readEntry, type Work } from '../../store/index.ts'
import { type Encryption, encryptedAt, type Policies } from '../../tree/index.ts'
import { landedBy } from '../access/proposal.ts'
import { repoError } from '../errors.ts'
import type { Handle } from '../handle.ts'
import { checkedText, encryptedExpectation, givenInfo, type Why, withoutUndefined } from '../records/info.ts'
import type { Once } from '../records/once.ts'
import { idOfSpeculation } from './speculation.ts'

/** A request with a key. */
export interface Request extends EntryRequest {
  /** The key as the caller gave it. */
  readonly given: string
}

const MAX_KEY_BYTES = 512

/**
 * The request that a caller made, when it has a key.
 *
 * `args` are what the operation was given beside the why, already in stored form. The trace is left out: it belongs to the
 * attempt. The caller's key is part of the digest, so the digest reveals nothing without the key.
 */
export function requestOf(
  handle: Handle,
  why: Why | undefined,
  operation: string,
  args: readonly Stored[] = [],
  path: readonly string[] = [],
): Request | undefined {
  if (why === undefined || typeof why === 'string') return undefined
  const given = checkedText('idempotency key', givenInfo(why).idempotencyKey, MAX_KEY_BYTES)
  if (given === undefined) return undefined
  return keyedRequest(handle, given, [operation, handle.branch, saidIn(handle, why, path), ...args])
}

function keyedRequest({ identity }: Handle, given: string, asked: readonly Stored[]): Request {
  const key = hashText(canonicalText([identity?.principal ?? null, given]))
  return { given, key, digest: hashText(canonicalText([given, ...asked])) }
}

/** The request of a handle for one write; `asked` tells it from others under the same key. */
export function onceUnder(handle: Handle, key: string, asked: unknown): Once {
  const given = checkedText('idempotency key', key, MAX_KEY_BYTES)!
  const { classes } = handle.journal.context
  const { given: _, ...request } = keyedRequest(handle, given, [encode(withoutUndefined(asked), { classes })])
  const chance = bytesOfId(hashText(canonicalText([request.key, 'id'])))
  const id = randomId(bytes => bytes.set(chance.subarray(0, bytes.length)))
  return { given, request, id, isCarried: false }
}

/** The entry of what a handle for one write has done already; undefined when its key was not used. */
export function* findDoneOnce({ once }: Handle): Work<number | undefined> {
  return once && (yield* findDone({ given: once.given, ...once.request }))
}

/** The options of all operations that can stand in a why. */
interface Said {
  readonly onlyIf?: { readonly head: string } | { readonly value: unknown }
  readonly policies?: Policies
  readonly resolutions?: Readonly<Record<string, string | { readonly value: unknown }>>
}

function saidIn({ journal: { context } }: Handle, why: Exclude<Why<Said>, string>, path: readonly string[]): Stored {
  const { idempotencyKey: _, trace: __, alternatives, expects, onlyIf, policies, resolutions, ...rest } = why
  const { encryption, classes } = context
  const stored = (value: unknown): Stored => encode(withoutUndefined(value), { classes })
  const sealed = (at: readonly string[], value: unknown): Stored => encryptedFor(encryption, at, stored(value))
  const guard =
    onlyIf !== undefined && 'value' in onlyIf ? { value: sealed(path, onlyIf.value) } : stored(onlyIf ?? null)
  const decided = Object.entries(resolutions ?? {}).map(([at, decision]): [string, Stored] => [
    at,
    typeof decision === 'string' ? decision : { value: sealed(parsePath(at), decision.value) },
  ])
  const expected = (expects ?? []).map(one => {
    const fields = stored(one) as { readonly [field: string]: Stored }
    return encryption === undefined ? fields : encryptedExpectation(encryption, fields)
  })
  return {
    ...(stored(rest) as { readonly [field: string]: Stored }),
    alternatives: (alternatives ?? []).map(one =>
      stored('id' in one ? one.id : { ...one, speculation: one.speculation && idOfSpeculation(one.speculation) }),
    ),
    expects: expected,
    onlyIf: guard,
    // A function cannot be compared; that there is one can.
    policies: Object.entries(policies ?? {}).map(([at, policy]) => [
      at,
      typeof policy === 'function' ? 'function' : stored(policy),
    ]),
    resolutions: decided,
  }
}

/** A value as it would be stored at a path: what is protected there must not be guessed from a digest. */
export function encryptedFor(encryption: Encryption | undefined, at: readonly string[], value: Stored): Stored {
  return encryption === undefined ? value : encryptedAt(encryption, at, value)
}

/**
 * The entry of what a request has done already; undefined when its key was not used.
 *
 * Throws `idempotency-mismatch` when the key stands for another request, and where the request became a proposal that has
 * not been approved, what is told of that.
 */
export function* findDone(request: Request): Work<number | undefined> {
  const seq = yield* ask(log => log.key(request.key))
  return seq === null ? undefined : yield* doneBy(request, seq)
}

/** The same for the entry that the key names. */
export function* doneBy({ given, digest }: Request, seq: number): Work<number> {
  const { record } = yield* readEntry(seq)
  if (record.request?.digest !== digest) throw repoError('idempotency-mismatch', { key: given })
  return yield* landedBy(seq)
}
