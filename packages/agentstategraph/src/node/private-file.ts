/** Small files that are written atomically and that, if nothing else is asked for, only their owner can read. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** Creates a file that only its owner can read; false when the file exists already. */
export function createPrivateFile(file: string, text: string): boolean {
  let handle: number
  try {
    handle = openSync(file, 'wx', OWNER_ONLY)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  writeAndClose(handle, text)
  syncFolder(dirname(file))
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
    writeSync(handle, text)
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
