/**
 * Signing keys in files: one line of text, readable by the owner only.
 *
 * The line has the form of a C2SP private note key: `PRIVATE+KEY+name+hash+base64`. Node modules are loaded on first use,
 * so a browser can load this module.
 */

import { checkOptions, findBase64, isKeyName, joinedBytes, optionsOf, toBase64, verifierKeyOf } from '../core/index.ts'
import type { Signer } from '../repo/index.ts'
import { trustError } from './errors.ts'

const PREFIX = 'PRIVATE+KEY'
/** The kind of key, an Ed25519 key of a log. */
const ED25519 = 1

/** Options of `createKeyFile`. */
export interface KeyFileOptions {
  /** The name of the log that the key signs for. */
  name?: string | undefined
}

const keyFileOptions = optionsOf<KeyFileOptions>('createKeyFile', { name: true })

/** Makes a key in a new file that only its owner can read. Returns the verifier key, which is public. */
export async function createKeyFile(file: string, options: KeyFileOptions = {}): Promise<string> {
  checkOptions(keyFileOptions, options)
  const { name = 'agentstategraph' } = options
  if (!isKeyName(name)) throw trustError('key-name-invalid', { name })
  const { ed25519Key, newEd25519Seed } = await import('../node/ed25519.ts')
  const { createPrivateFile } = await import('../node/private-file.ts')
  const seed = newEd25519Seed()
  const verifierKey = verifierKeyOf(name, ed25519Key(seed).publicKey)
  const secret = toBase64(joinedBytes([Uint8Array.of(ED25519), seed]))
  const line = `${PREFIX}+${name}+${verifierKey.split('+')[1]}+${secret}\n`
  if (!createPrivateFile(file, line)) throw trustError('key-file-exists', { file })
  return verifierKey
}

/** The signer for a key in a file. */
export async function keyFileSigner(file: string): Promise<Signer> {
  const { ed25519Key } = await import('../node/ed25519.ts')
  const { readText } = await import('../node/private-file.ts')
  const refuse = (reason: string): Error => trustError('key-file-invalid', { file, reason })
  const text = readText(file)
  if (text === undefined) throw refuse('there is no such file')
  const [, name, keyId, secret] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(\S+)\n?$/.exec(text) ?? []
  const bytes = secret === undefined ? undefined : findBase64(secret)
  if (name === undefined || keyId === undefined || bytes?.length !== 33 || bytes[0] !== ED25519) {
    throw refuse('it does not hold a private key')
  }
  const key = ed25519Key(bytes.slice(1))
  const verifierKey = verifierKeyOf(name, key.publicKey)
  if (verifierKey.split('+')[1] !== keyId) throw refuse('its name and its key do not belong together')
  return { keyId, verifierKey, sign: async message => key.sign(message) }
}
