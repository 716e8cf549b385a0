/** Small files that are written atomically and that, if nothing else is asked for, only their owner can read. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** Creates a file that only its owner can read, with its whole text or not at all; false when the file exists already. */
export function createPrivateFile(file: string, text: string): boolean {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`
  let isMade = false
  try {
    writeAndClose(openSync(temporary, 'wx', OWNER_ONLY), text)
    isMade = giveFreeName(temporary, file)
  } finally {
    removeFile(temporary)
  }
  if (isMade) syncFolder(dirname(file))
  return isMade
}

/** Gives a file a name that nothing has; false when something has it. Unlike a rename, a link does not replace a file made meanwhile. */
export function giveFreeName(file: string, name: string): boolean {
  try {
    linkSync(file, name)
    removeFile(file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(name)) return false
    // Some file systems have no links.
    renameSync(file, name)
  }
  return true
}

/** The text of a file; undefined when there is none. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the text of a file. After a crash of the process there is the old text or the new one; synced, also after others. */
export function replaceText(file: string, text: string, isSynced = true, mode: number = OWNER_ONLY): void {
  const temporary = `${file}.new`
  writeAndClose(openSync(temporary, 'w', mode), text, isSynced)
  renameSync(temporary, file)
  if (isSynced) syncFolder(dirname(file))
}

export function removeFile(file: string): void {
  rmSync(file, { force: true })
}

function writeAndClose(handle: number, text: string, isSynced = true): void {
  try {
    // One call of the system may write a part of it, on a disk that is nearly full.
    writeFileSync(handle, text)
    if (isSynced) fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A new name is durable only when its folder is synced; some systems cannot do that and need not. */
export function syncFolder(folder: string): void {
  let handle: number | undefined
  try {
    handle = openSync(folder, 'r')
    fsyncSync(handle)
  } catch (error) {
    if (!['EISDIR', 'EPERM', 'EACCES', 'EINVAL'].includes(codeOf(error) ?? '')) throw error
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

/** The code of an error of the file system. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
