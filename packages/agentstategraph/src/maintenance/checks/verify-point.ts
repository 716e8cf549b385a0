/** A point of `verify`: an entry up to which a namespace was found whole, as a text that a caller keeps. */

import { coreError } from '../../core/index.ts'

export interface VerifyPoint {
  readonly seq: number
  /** The leaf of that entry in the Merkle log. */
  readonly leaf: string
  /** A digest of where the refs were after that entry. */
  readonly refs: string
}

export function pointText({ seq, leaf, refs }: VerifyPoint): string {
  return `${seq}.${leaf}.${refs}`
}

/** Reads a point that a caller gave. */
export function checkedPoint(text: string): VerifyPoint {
  const [, seq, leaf, refs] = /^([1-9]\d{0,14})\.([\w-]{43})\.([\w-]{43})$/.exec(String(text)) ?? []
  if (seq === undefined || leaf === undefined || refs === undefined)
    throw coreError('option-invalid', { field: 'after', reason: `"${text}" is not a point that verify gave` })
  return { seq: Number(seq), leaf, refs }
}
