/** From what is stored to what a caller sees: sealed values are opened where their key is there, and tags are read, with the codecs of
 * registered classes. */

import { decode, type Stored } from '../core/index.ts'
import type { Work } from '../store/index.ts'
import { type Child, opened, type TreeContext, valueOfChild } from '../tree/index.ts'

/** A value to work with; an instance without a codec is an error that names its path. */
export function shownValue({ sealing, classes }: TreeContext, stored: Stored, at: readonly string[] = []): unknown {
  return decode(opened(sealing, stored), classes, { at })
}

export function* shownChild(context: TreeContext, child: Child, at: readonly string[]): Work<unknown> {
  return shownValue(context, yield* storedOf(context, child), at)
}

/** A value in a report, which can be made without all codecs. */
export function reportedValue({ sealing, classes }: TreeContext, stored: Stored): unknown {
  return decode(opened(sealing, stored), classes, { isReport: true })
}

export function* reportedChild(context: TreeContext, child: Child): Work<unknown> {
  return reportedValue(context, yield* storedOf(context, child))
}

function* storedOf(context: TreeContext, child: Child): Work<Stored> {
  return child.kind === 'leaf' ? child.value : yield* valueOfChild(context, child)
}
