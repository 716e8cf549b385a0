/**
 * Copies of a SQLite store that is open: one file, as the store is at one moment, whatever other processes write.
 *
 * SQLite writes the copy in one read transaction, so it also holds what is still in the log. It gets its name only when it is
 * whole, checked and on the disk.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { giveFreeName, syncFolder } from '../../../node/private-file.ts'
import type { Backend } from '../../../store/contract/backend.ts'
import { backendError, reasonOf } from '../../errors.ts'
import { ignoringFailure } from '../busy.ts'
import type { Connection } from '../connection.ts'
import { fileAt, findObstacle, logEnds, logName } from '../store-file.ts'

/** Opens a copy for reading. */
export type OpenCopy = (file: string) => Backend
export type CheckCopy = (copy: Backend) => Promise<void>

const OWNER_ONLY = 0o600

/** Writes a copy under a name that nothing has. `check` may refuse it, and then there is no copy. */
export async function copyStore(
  { copyInto }: Pick<Connection, 'copyInto'>,
  target: string,
  openCopy: OpenCopy,
  check: CheckCopy,
): Promise<void> {
  const file = resolve(target)
  assertFree(file)
  const unfinished = `${file}.unfinished`
  try {
    rmSync(unfinished, { force: true })
    // SQLite writes into an empty file, which keeps its mode.
    closeSync(openSync(unfinished, 'wx', OWNER_ONLY))
    copyInto(unfinished)
    sync(unfinished)
    await checked(openCopy(unfinished), check)
    if (!giveFreeName(unfinished, file)) throw nameTaken(file)
    syncFolder(dirname(file))
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) {
      throw backendError('store-failed', { file, reason: findObstacle(file) ?? reasonOf(cause) }, { cause })
    }
    throw cause
  } finally {
    ignoringFailure(() => rmSync(unfinished, { force: true }))
  }
}

/** The end of the name of a store that was replaced. */
const REPLACED = '.replaced'

/** Puts a copy in place of a store, and returns the name that the store has now; undefined when there was none. */
export async function replaceStore(
  source: Pick<Backend, 'backup'>,
  target: string,
  check: CheckCopy,
): Promise<string | undefined> {
  const file = fileAt(target)
  const restored = `${file}.restored`
  rmSync(restored, { force: true })
  await source.backup!(restored, check)
  const replaced = moveAside(file)
  renameSync(restored, file)
  syncFolder(dirname(file))
  return replaced
}

/**
 * Gives a store another name, with its log: beside another file the log would be taken for that file's. A process that has
 * it open finds that out at its next call.
 */
function moveAside(file: string): string | undefined {
  if (!existsSync(file) && !existsSync(logName(file))) return undefined
  let name = file + REPLACED
  for (let n = 2; [name, logName(name)].some(existsSync); n++) name = `${file}${REPLACED}-${n}`
  for (const end of ['', ...logEnds]) if (existsSync(file + end)) renameSync(file + end, name + end)
  return name
}

function assertFree(file: string): void {
  for (const name of [file, logName(file)]) if (existsSync(name)) throw nameTaken(name)
}

function nameTaken(file: string): Error {
  return backendError('file-exists', { file })
}

function sync(file: string): void {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

async function checked(copy: Backend, check: CheckCopy): Promise<void> {
  try {
    await check(copy)
  } finally {
    await copy.close()
  }
}
