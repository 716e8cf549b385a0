/**
 * A file beside a store that only takes room. On a full disk it is deleted, so that what frees space can be written.
 *
 * It is made for stores of some size, by whoever writes to them, and outlives closing: a store may be opened on a disk that
 * others have filled. This file knows no SQL.
 */
import { randomBytes } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { isStateError } from '../../../core/errors.ts'
import { diskLeftBytes, type Purpose, reserveBytes } from '../limit.ts'

/** A smaller store gets no reserve: there is little that it could free. */
const leastStoreBytes = 2 * reserveBytes
/** What is left for the log, which every write needs, also one that fits into free pages of the file. */
const logBytes = reserveBytes / 2

export interface DiskReserve {
  /** Makes the file, as large as the disk allows. */
  keep(): void
  /** Deletes the file. */
  release(): void
  /** The size of the file; 0 when there is none. */
  bytes(): number
}

/** The reserve of a store; without `isKept`, one that is never made. */
export function diskReserve(file: string, isKept: boolean): DiskReserve {
  const reserve = `${file}-reserve`
  return {
    keep() {
      const kept = sizeOf(reserve)
      if (!isKept || kept >= reserveBytes || sizeOf(file) + sizeOf(`${file}-wal`) < leastStoreBytes) return
      const bytes = Math.min(reserveBytes, diskLeftBytes(file) - logBytes)
      if (bytes <= kept) return
      try {
        // Random bytes, because a file system may store zeros without taking room for them.
        writeFileSync(reserve, randomBytes(bytes), { mode: 0o600 })
      } catch {
        // On a full disk, what was written of it is the reserve.
      }
    },
    release: () => rmSync(reserve, { force: true }),
    bytes: () => sizeOf(reserve),
  }
}

/** Opens a store; on a full disk, where even that needs room, with the room of the reserve. */
export function openWithReserve<T>(file: string, reserve: DiskReserve, open: () => T): T {
  try {
    return open()
  } catch (e) {
    if (!isStateError(e) || reserve.bytes() === 0 || diskLeftBytes(file) >= reserveBytes) throw e
    reserve.release()
    const opened = open()
    reserve.keep()
    return opened
  }
}

/**
 * Makes what tries a failed write once more on a full disk: after `shrinkLog` gave back the room of the log, and, for what
 * frees space, with the room of the reserve. What is only derived is not tried again; any other error is thrown.
 */
export function retryWithReserve(
  reserve: DiskReserve,
  shrinkLog: () => void,
): <T>(e: unknown, purpose: Purpose | undefined, write: () => T) => T {
  return (e, purpose, write) => {
    if (purpose === undefined || purpose === 'derive' || !isStateError(e, 'disk-full')) throw e
    if (purpose === 'free') reserve.release()
    shrinkLog()
    const result = write()
    shrinkLog()
    reserve.keep()
    return result
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
