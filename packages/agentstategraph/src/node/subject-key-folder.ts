/**
 * Subject keys in a folder outside any store: one small file for each key, mode 0600.
 *
 * A file is named by a hash of the subject and a number, which are also in its key's id, so no search is needed. It is
 * written under a temporary name and then hard-linked to its own, which succeeds in only one of several processes. To
 * destroy a key, its file is atomically replaced by one that holds the time, and the old bytes are overwritten. Every call
 * reads the file, so a key that another process destroyed is gone here at once.
 */

import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { DestroyedKey, SubjectKey, SubjectKeys } from '../core/index.ts'
import { secretBytes, subjectKey } from './aes-gcm.ts'
import { nodeError } from './errors.ts'
import { codeOf, giveFreeName, removeFile, syncFolder } from './private-file.ts'

/** The content of a file: a key, or the record of its destruction. */
type KeyFile = SecretKey | DestroyedKey

interface SecretKey {
  readonly id: string
  readonly subject: string
  /** Base64. */
  readonly secret: string
}

/** How many derived keys are cached; deriving one again costs little. */
const MAX_DERIVED = 4096
/** Hex digits of a subject's hash in the names of its files. */
const HASH_DIGITS = 24
const idShape = /^([0-9a-f]{24}\.[1-9][0-9]*)\.[0-9a-f]{8}$/

/** Opens a folder of keys, and creates it when it does not exist. */
export function openSubjectKeyFolder(folder: string): SubjectKeys {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const derived = new Map<string, { readonly text: string; readonly key: SubjectKey }>()
  const fileOf = (name: string): string => join(folder, `${name}.json`)

  const keyOf = ({ id, subject, secret }: SecretKey): SubjectKey => {
    const known = derived.get(id)
    if (known !== undefined && known.text === secret) return known.key
    const key = subjectKey(id, subject, Buffer.from(secret, 'base64'))
    if (derived.size === MAX_DERIVED) derived.clear()
    derived.set(id, { text: secret, key })
    return key
  }

  return {
    current(subject) {
      const hash = hashOf(subject)
      for (let number = 1; ; ) {
        const name = `${hash}.${number}`
        const found = findKeyFile(fileOf(name))
        if (found === undefined) makeKeyFile(folder, fileOf(name), newKey(name, subject))
        else if (found.subject === subject && 'secret' in found) return keyOf(found)
        else number++
      }
    },
    find(id) {
      const name = idShape.exec(id)?.[1]
      const found = name === undefined ? undefined : findKeyFile(fileOf(name))
      if (found === undefined || found.id !== id) return undefined
      if ('secret' in found) return keyOf(found)
      derived.delete(id)
      return found
    },
    destroy(subject, erasedAt) {
      const destroyed: DestroyedKey[] = []
      const hash = hashOf(subject)
      for (let number = 1; ; number++) {
        const file = fileOf(`${hash}.${number}`)
        const found = findKeyFile(file)
        if (found === undefined) return destroyed
        if (found.subject !== subject) continue
        const { id } = found
        const left = 'secret' in found ? { id, subject, erasedAt } : found
        if (left !== found) replaceKeyFile(folder, file, left)
        derived.delete(id)
        destroyed.push(left)
      }
    },
  }
}

function hashOf(subject: string): string {
  return createHash('sha256').update(subject).digest('hex').slice(0, HASH_DIGITS)
}

/** The id ends in random digits, so that a new key is not taken for one of a lost folder. */
function newKey(name: string, subject: string): SecretKey {
  const id = `${name}.${randomBytes(4).toString('hex')}`
  return { id, subject, secret: randomBytes(secretBytes).toString('base64') }
}

function findKeyFile(file: string): KeyFile | undefined {
  // A file that is destroyed during the read can look half overwritten; its replacement is in place by then.
  for (let attempt = 1; ; attempt++) {
    try {
      const content = JSON.parse(fs.readFileSync(file, 'utf8')) as KeyFile
      if (typeof ('secret' in content ? content.secret : content.erasedAt) === 'string') return content
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return undefined
      if (!(cause instanceof SyntaxError)) throw cause
    }
    if (attempt === 3) throw nodeError('subject-key-damaged', { file })
  }
}

/** Creates a key's file, unless another process was first. */
function makeKeyFile(folder: string, file: string, content: KeyFile): void {
  const made = writeAside(folder, content)
  try {
    giveFreeName(made, file)
  } finally {
    removeFile(made)
  }
  // The key must be durable before any value that it encrypts, also in a power failure.
  syncFolder(folder)
}

/** Replaces a key's file, and overwrites the bytes of the old one. */
function replaceKeyFile(folder: string, file: string, content: KeyFile): void {
  const old = fs.openSync(file, 'r+')
  try {
    fs.renameSync(writeAside(folder, content), file)
    fs.writeSync(old, Buffer.alloc(fs.fstatSync(old).size), 0, undefined, 0)
    fs.fsyncSync(old)
  } finally {
    fs.closeSync(old)
  }
  syncFolder(folder)
}

function writeAside(folder: string, content: KeyFile): string {
  const file = join(folder, `.${randomBytes(12).toString('hex')}`)
  const descriptor = fs.openSync(file, 'wx', 0o600)
  try {
    fs.writeFileSync(descriptor, JSON.stringify(content))
    fs.fsyncSync(descriptor)
  } catch (error) {
    removeFile(file)
    throw error
  } finally {
    fs.closeSync(descriptor)
  }
  return file
}
