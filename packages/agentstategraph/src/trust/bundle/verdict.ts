/**
 * The verdict on a bundle: a ladder of levels, each passed, failed, or not checked for a stated reason.
 *
 * Keys and the kept head come from the caller, never from the bundle. docs/bundle.md says what each level proves.
 */

import { findVerifierKey, isStateError } from '../../core/index.ts'
import { signatureError } from '../signature-errors.ts'
import { checkHead, findSignedHead, type SignedHead } from '../signed-head.ts'
import type { CheckedBundle } from './check.ts'
import { type BundleCheck, BundleFault } from './fault.ts'
import { fieldsOf } from './format.ts'

/** How far a bundle can be trusted, from intact to authorised. */
export type Level = 'integrity' | 'signed' | 'extends' | 'witnessed' | 'authorised'

/** Whether one level of a bundle holds. */
export interface LevelVerdict {
  readonly name: Level
  readonly status: 'passed' | 'failed' | 'not-checked'
  readonly detail?: string
}

/** What a check of a bundle found. */
export interface Verdict {
  /** Whether nothing failed. Levels that were not checked do not count. */
  readonly ok: boolean
  readonly checks: readonly LevelVerdict[]
  /** The first check that failed, by the name it has in docs/bundle.md. */
  readonly failed?: BundleCheck
}

/** What the auditor brings: public keys as name+hash+base64, and a head kept from an earlier time. */
export interface Pinned {
  readonly logKeys: readonly string[]
  readonly witnessKeys: readonly string[]
  readonly kept: SignedHead | undefined
}

export function pinnedBy(keys: readonly string[], prior: string | undefined): Pinned {
  const kinds = keys.map(key => {
    const kind = findVerifierKey(key)?.kind
    if (kind === undefined) throw signatureError('key-invalid', { key })
    return kind
  })
  const kept = prior === undefined ? undefined : findSignedHead(prior)
  if (prior !== undefined && kept === undefined)
    throw signatureError('head-invalid', { what: 'The head that was kept' })
  return {
    logKeys: keys.filter((_, i) => kinds[i] === 'log'),
    witnessKeys: keys.filter((_, i) => kinds[i] === 'witness'),
    kept,
  }
}

/** The verdict on a bundle whose integrity failed. */
export function failedVerdict({ check, message }: BundleFault): Verdict {
  const detail = 'The bundle is not what it should be, so nothing more was looked at.'
  const rest = (['signed', 'extends', 'witnessed', 'authorised'] as const).map(name => notChecked(name, detail))
  return { ok: false, failed: check, checks: [{ name: 'integrity', status: 'failed', detail: message }, ...rest] }
}

/** The verdict on a bundle whose integrity holds. */
export async function verdictOn(bundle: CheckedBundle, pinned: Pinned): Promise<Verdict> {
  const levels = [
    { name: 'integrity' as const, status: 'passed' as const },
    await level('signed', () => signed(bundle, pinned.logKeys)),
    await level('extends', async () => extending(bundle, pinned.kept)),
    await level('witnessed', () => witnessed(bundle, pinned.witnessKeys)),
    await level('authorised', async () => authorised(bundle)),
  ]
  // The order of the checks in docs/bundle.md, which is not that of the ladder.
  const failed = ['extends', 'signed', 'witnessed', 'authorised']
    .map(name => levels.find(one => one.name === name)!.failed)
    .find(one => one)
  const checks = levels.map(({ name, status, detail }) =>
    detail === undefined ? { name, status } : { name, status, detail },
  )
  return { ok: failed === undefined, checks, ...(failed === undefined ? {} : { failed }) }
}

interface LevelOutcome {
  readonly name: Level
  readonly status: LevelVerdict['status']
  readonly detail?: string
  readonly failed?: BundleCheck
}

/** Runs the check of a level. The check returns a reason when it could not be made, and throws when it failed. */
async function level(name: Level, check: () => Promise<string | undefined>): Promise<LevelOutcome> {
  try {
    const missing = await check()
    return missing === undefined ? { name, status: 'passed' } : notChecked(name, missing)
  } catch (e) {
    if (isStateError(e, 'signatures-unsupported')) return notChecked(name, e.message)
    if (!(e instanceof BundleFault)) throw e
    return { name, status: 'failed', detail: e.message, failed: e.check }
  }
}

function notChecked(name: Level, detail: string): LevelVerdict {
  return { name, status: 'not-checked', detail }
}

async function signed({ keychain, signedHead }: CheckedBundle, keys: readonly string[]): Promise<string | undefined> {
  if (keys.length === 0) return 'No key of a log was given.'
  const trusted = new Set(keys)
  let retired = ''
  for (const { seq, head, entry } of keychain) {
    const { good, wrong } = await checkHead(head, [...trusted])
    const { add, retire } = fieldsOf(fieldsOf(JSON.parse(entry))?.['body']) ?? {}
    const isVouchedFor = good.length > 0 && wrong.length === 0
    if (isVouchedFor) for (const key of textsIn(add)) if (findVerifierKey(key)?.kind === 'log') trusted.add(key)
    // The log itself says so, and the head to be checked stands for all of it. So nobody has to vouch for a retirement.
    for (const key of textsIn(retire)) if (trusted.delete(key)) retired = ` Entry ${seq} retired ${key}.`
  }
  const { good, wrong } = await checkHead(signedHead, [...trusted])
  if (wrong.length > 0) throw new BundleFault('signature-wrong', `The signature of ${wrong[0]} is not good.`)
  if (good.length === 0)
    throw new BundleFault('signature-missing', `The head is not signed by a key that is trusted.${retired}`)
  return undefined
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

function extending({ header, since, roots }: CheckedBundle, kept: SignedHead | undefined): string | undefined {
  if (kept === undefined) return 'No head was kept from an earlier time.'
  if (kept.origin !== header.origin)
    throw new BundleFault('extends-origin', `The head that was kept is of the log ${kept.origin}.`)
  const root = roots.get(kept.size) ?? (since?.size === kept.size ? since.root : undefined)
  if (root === undefined) {
    const where = kept.size > header.to ? 'goes beyond the epoch' : 'is from before the epoch'
    return `The head that was kept, of ${kept.size} entries, ${where}, and the bundle has no proof from there.`
  }
  if (root !== kept.root)
    throw new BundleFault('extends-root', `The first ${kept.size} entries are not those of the head that was kept.`)
  return undefined
}

async function witnessed({ signedHead }: CheckedBundle, keys: readonly string[]): Promise<string | undefined> {
  if (keys.length === 0) return 'No key of a witness was given.'
  const { good, wrong } = await checkHead(signedHead, keys)
  if (wrong.length > 0) throw new BundleFault('witness-wrong', `The signature of ${wrong[0]} is not good.`)
  return good.length > 0 ? undefined : 'No witness whose key was given has signed the head.'
}

/** Whether every commit was made under a right that its principal held. Throws when one was not. */
function authorised({ header, authorities: { counts, firstDenied, firstUnknown } }: CheckedBundle): string | undefined {
  if (header.profile === 'redacted') return 'Who made the commits is withheld.'
  if (firstDenied !== undefined) throw new BundleFault('authority', `${firstDenied}.`)
  if (firstUnknown !== undefined) return `${firstUnknown}.`
  if (counts.granted + counts.operator > 0) return undefined
  return counts.open > 0 ? 'Open: no access control was in force.' : 'There are no commits.'
}
