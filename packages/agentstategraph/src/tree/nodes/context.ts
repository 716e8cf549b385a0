/**
 * The context of every tree function: the nodes in memory, and the limits that decide the shape of a tree.
 */

import type { ClassTable } from '../../core/index.ts'
import type { CutLimits } from './cut.ts'
import type { Encryption } from './encryption.ts'
import type { Nodes } from './walk.ts'

/** Part of the format: with other limits the same content has other ids. Tests use tiny limits to reach every rule. */
export interface TreeLimits {
  readonly cut: CutLimits
  /** A value whose text has at most so many bytes is written inline in its parent. */
  readonly inlineBytes: number
  /** A scalar or tagged value whose text has more bytes is cut into pieces. */
  readonly longBytes: number
  readonly piece: PieceLimits
}

/** Bytes of one piece of a long value; a cut falls, on average, `2^bits` bytes after the minimum. */
export interface PieceLimits {
  readonly min: number
  readonly max: number
  readonly bits: number
}

export const formatLimits: TreeLimits = {
  cut: { min: 4, max: 64 },
  inlineBytes: 128,
  longBytes: 65536,
  piece: { min: 2048, max: 32768, bits: 12 },
}

export interface TreeContext {
  readonly nodes: Nodes
  readonly limits: TreeLimits
  /** Which paths are encrypted on write and decrypted on read. */
  readonly encryption?: Encryption | undefined
  /** The classes with codecs, for functions that decode and encode values. */
  readonly classes?: ClassTable | undefined
}
