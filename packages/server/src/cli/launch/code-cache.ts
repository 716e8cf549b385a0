/**
 * What V8 compiled of the program, kept for the next process.
 *
 * V8 checks that it compiled the data itself, with the same flags, but neither which text the data are of nor that they are whole.
 * So a file has the hash of the text in its name, and begins with the hash of the data.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'

/** A file of code. */
export interface Code {
  readonly file: string
  readonly text: Uint8Array
}

export interface CodeCache {
  /** The data for a file; undefined when there are none. */
  find(code: Code): Uint8Array | undefined
  /** Keeps the data for a file. A process that reads meanwhile finds the old data or the new ones. */
  keep(code: Code, data: Uint8Array): void
}

const HASH_BYTES = 32
const KEPT_MS = 30 * 24 * 3_600_000
const OWNER_ONLY = 0o600

/** A cache in a folder that nobody else can write to: its data are run. */
export function codeCacheIn(folder: string): CodeCache {
  const runtime = `${process.version}-${process.arch}-${cachedDataVersionTag().toString(16)}`
  // V8 keeps the name of the file too, which stacks show.
  const keyOf = ({ file, text }: Code): string => hash('sha256', `${file}\n${hash('sha256', text, 'hex')}`, 'hex')
  const fileOf = (code: Code): string => join(folder, `${runtime}-${keyOf(code)}`)

  return {
    find(code) {
      try {
        const kept = readFileSync(fileOf(code))
        const data = kept.subarray(HASH_BYTES)
        return hash('sha256', data, 'buffer').equals(kept.subarray(0, HASH_BYTES)) ? data : undefined
      } catch {
        return undefined
      }
    },
    keep(code, data) {
      // Without a cache the program only starts more slowly.
      try {
        const file = fileOf(code)
        const fresh = `${file}.${process.pid}`
        writeFileSync(fresh, Buffer.concat([hash('sha256', data, 'buffer'), data]), { mode: OWNER_ONLY })
        renameSync(fresh, file)
        removeOld(folder)
      } catch {}
    },
  }
}

/** Removes what was kept long ago: of programs that are not there any more, and of others, which are kept again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const stat = statSync(file)
    if (stat.isFile() && Date.now() - stat.mtimeMs > KEPT_MS) rmSync(file, { force: true })
  }
}
