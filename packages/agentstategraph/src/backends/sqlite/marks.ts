/**
 * Marks beside a SQLite file: `state.db.head` and `state.db.tail` for the namespace `default`, and such files for each other.
 *
 * A mark is compared and replaced under the database's write lock, so two processes cannot interleave, and a process that
 * dies leaves no lock behind. This file does not know what a mark says.
 */

import { statSync } from 'node:fs'
import { hashText } from '../../core/crypto/hash.ts'
import { readText, removeFile, replaceText } from '../../node/private-file.ts'
import type { Marks } from '../../store/contract/backend.ts'
import { nowOrWhenFree } from '../../store/contract/lock.ts'
import { backendError, reasonOf } from '../errors.ts'
import type { Connection } from './connection.ts'

export interface SqliteMarks extends Marks {
  /** Deletes the mark of a dropped namespace. */
  remove(namespace: string): void
}

/** The signed heads, which are synced to the disk, or the newest entries, which need not be. */
export function sqliteMarks({ file, assertOpen, lock, write }: Connection, kind: 'head' | 'tail'): SqliteMarks {
  // Other namespaces are named by their hash, because a file system may treat two of their names as one.
  const fileOf = (namespace: string): string =>
    namespace === 'default' ? `${file}.${kind}` : `${file}.${nameOf(namespace)}.${kind}`
  return {
    async read(namespace) {
      assertOpen()
      const name = fileOf(namespace)
      try {
        return readText(name)
      } catch (cause) {
        throw backendError('store-failed', { file: name, reason: reasonOf(cause) }, { cause })
      }
    },
    async replace(namespace, text, mayReplace) {
      const replace = (): boolean => {
        if (!mayReplace(readText(fileOf(namespace)))) return false
        // The mode of the store, as the log has it: a reader of the store compares it with its mark.
        const mode = (statSync(file).mode & 0o666) | 0o600
        replaceText(fileOf(namespace), text, kind === 'head', mode)
        return true
      }
      return nowOrWhenFree(lock, () => write('NORMAL', replace))
    },
    remove: namespace => removeFile(fileOf(namespace)),
  }
}

const NAME_LENGTH = 16

/** Hex, because base64 needs upper and lower case, which some file systems do not distinguish. */
function nameOf(namespace: string): string {
  const hex = Buffer.from(hashText(namespace), 'base64url').toString('hex')
  return hex.slice(0, NAME_LENGTH)
}
