/**
 * Keeps the heap of a server small: V8 lets it grow to several times what is in use.
 *
 * Flags of V8 are those of the whole process, threads included, so a program sets them and the library does not.
 */
import { setFlagsFromString } from 'node:v8'

/** Where the flags were tried. A V8 that has lost one would complain on standard error. */
const OLDEST = 20
const NEWEST = 24

let isSmall = false

/** The space for young objects stays as large as it is, and garbage is collected when the heap is twice what is in use. */
export function keepHeapSmall(): void {
  const major = Number.parseInt(process.versions.node, 10)
  if (major < OLDEST || major > NEWEST || 'bun' in process.versions) return
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=100')
  isSmall = true
}

/** Before another thread begins: its space for young objects is the smallest there is, and has to grow. */
export function letYoungSpaceGrow(): void {
  if (isSmall) setFlagsFromString('--semi-space-growth-factor=2')
}
