/**
 * Marks beside a SQLite file: `state.db.head` for the namespace `default`, and one more file for each other.
 *
 * A mark is compared and replaced under the database's write lock, so two processes cannot interleave, and a process that
 * dies leaves no lock behind. This file does not know what a mark says.
 */

import { hashText } from '../../core/crypto/hash.ts'
import { readText, removeFile, replaceText } from '../../node/private-file.ts'
import type { Marks } from '../../store/contract/backend.ts'
import type { Connection } from './connection.ts'

export interface SqliteMarks extends Marks {
  /** Deletes the mark of a dropped namespace. */
  remove(namespace: string): void
}

export function sqliteMarks({ file, assertOpen, whileLocked }: Connection): SqliteMarks {
  // Other namespaces are named by their hash, because a file system may treat two of their names as one.
  const fileOf = (namespace: string): string =>
    namespace === 'default' ? `${file}.head` : `${file}.${nameOf(namespace)}.head`
  return {
    async read(namespace) {
      assertOpen()
      return readText(fileOf(namespace))
    },
    async replace(namespace, text, mayReplace) {
      let isReplaced = false
      whileLocked(true, () => {
        if (!mayReplace(readText(fileOf(namespace)))) return
        replaceText(fileOf(namespace), text)
        isReplaced = true
      })
      return isReplaced
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
