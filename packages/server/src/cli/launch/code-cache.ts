/**
 * What V8 compiled of the program, kept for the next process.
 *
 * V8 checks that it compiled the data itself, with the same flags, but neither which text the data are of nor that they are whole.
 * So a file has the hash of the text in its name, and begins with the hash of the data.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'

/** What is kept for a file of code. */
export interface KeptCode {
  /** Undefined when there is nothing. */
  readonly data: Uint8Array | undefined
  /** A process that reads meanwhile finds the old data or the new ones. */
  keep(data: Uint8Array): void
}

/** Gives what is kept for a file with a text. */
export type CodeCache = (file: string, text: Uint8Array) => KeptCode

const HASH_BYTES = 32
const KEPT_MS = 30 * 24 * 3_600_000
const OWNER_ONLY = 0o600

/** A cache in a folder that nobody else can write to: its data are run. */
export function codeCacheIn(folder: string): CodeCache {
  const runtime = `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`
  return (file, text) => {
    // V8 keeps the name of the file too, which stacks show.
    const key = hash('sha256', `${file}\n${hash('sha256', text, 'hex')}`, 'hex')
    const kept = join(folder, `${runtime}-${key}`)
    return { data: findData(kept), keep: data => replaceData(kept, data) }
  }
}

function findData(file: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(HASH_BYTES)
    return hash('sha256', data, 'buffer').equals(bytes.subarray(0, HASH_BYTES)) ? data : undefined
  } catch {
    return undefined
  }
}

/** Without kept code the program only starts more slowly, so a failure is none of the program. */
function replaceData(file: string, data: Uint8Array): void {
  try {
    const fresh = `${file}.${process.pid}`
    writeFileSync(fresh, Buffer.concat([hash('sha256', data, 'buffer'), data]), { mode: OWNER_ONLY })
    renameSync(fresh, file)
    removeOld(dirname(file))
  } catch {}
}

/** Removes what was kept long ago: of programs that are not there any more, and of others, which are kept again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const stat = statSync(file)
    if (stat.isFile() && Date.now() - stat.mtimeMs > KEPT_MS) rmSync(file, { force: true })
  }
}
