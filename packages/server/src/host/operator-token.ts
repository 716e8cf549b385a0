/**
 * The server's own token: 256 random bits that give their holder the rights of the operator.
 *
 * It is shown once, when it is made. A file beside the store, readable only by its owner, has its SHA-256. For a random token of
 * this length that is enough to recognise it, and useless to a thief.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { serverError } from '../wire/errors.ts'

export type TokenDigest = Uint8Array

const PREFIX = 'asg_operator_'
const OWNER_ONLY = 0o600

export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

export function digestOf(token: string): TokenDigest {
  return hash('sha256', token, 'buffer')
}

/** Compares digests in constant time, so that timing reveals neither the length nor the first wrong character. */
export function isToken(presented: string, digest: TokenDigest): boolean {
  return timingSafeEqual(digestOf(presented), digest)
}

export interface KeptToken {
  readonly digest: TokenDigest
  /** The token itself; only present when it was just made. */
  readonly shown: string | undefined
}

/** The token of a file. A new one is made when there is no file, or on request. */
export function tokenIn(file: string, options: { readonly renew?: boolean | undefined } = {}): KeptToken {
  if (options.renew === true) rmSync(file, { force: true })
  const shown = newToken()
  const digest = digestOf(shown)
  const text = `sha256 ${Buffer.from(digest).toString('hex')}\n`
  try {
    // `wx` fails when the file exists, even if another process creates it right now: then the token of that process is used.
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
