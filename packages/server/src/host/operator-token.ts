/**
 * The server's own token: 256 random bits that let their holder do what the operator of the store can do.
 *
 * It is shown once, when it is made. What is kept, in a file beside the store that only its owner reads, is its SHA-256: enough
 * to recognise it, for so many random bits, and useless to whoever finds the file.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { serverError } from '../wire/errors.ts'

export type TokenDigest = Uint8Array

const PREFIX = 'asg_operator_'
const OWNER_ONLY = 0o600

export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

export function digestOf(token: string): TokenDigest {
  return createHash('sha256').update(token, 'utf8').digest()
}

/** Compares digests, so that neither the length nor the first wrong character shows in the time it takes. */
export function isToken(presented: string, digest: TokenDigest): boolean {
  return timingSafeEqual(digestOf(presented), digest)
}

export interface KeptToken {
  readonly digest: TokenDigest
  /** The token itself, only when it was made just now. */
  readonly shown: string | undefined
}

/** The token kept in a file; made when there is none, or when a new one is asked for. */
export function tokenIn(file: string, options: { readonly renew?: boolean | undefined } = {}): KeptToken {
  if (options.renew === true) rmSync(file, { force: true })
  const shown = newToken()
  const digest = digestOf(shown)
  const text = `sha256 ${Buffer.from(digest).toString('hex')}\n`
  try {
    // Fails when the file is there, also when another process makes it at this moment: then that one's token counts.
    writeFileSync(file, text, { mode: OWNER_ONLY, flag: 'wx' })
    return { digest, shown }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return { digest: readDigest(file), shown: undefined }
  }
}

function readDigest(file: string): TokenDigest {
  const found = /^sha256 ([0-9a-f]{64})\s*$/.exec(readFileSync(file, 'utf8'))
  if (found === null) throw serverError('token-file-invalid', { file })
  return Buffer.from(found[1]!, 'hex')
}
