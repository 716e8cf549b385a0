/** From what is stored to what a caller sees: sealed values are opened where their key is there, and tags are read, with the codecs of
 * registered classes. */

import { decode, type Stored } from '../core/index.ts'
import type { Work } from '../store/index.ts'
import { type Child, opened, type TreeContext, valueOfChild } from '../tree/index.ts'

export function shownValue({ sealing, classes }: TreeContext, stored: Stored): unknown {
  return decode(opened(sealing, stored), classes)
}

export function* shownChild(context: TreeContext, child: Child): Work<unknown> {
  return shownValue(context, child.kind === 'leaf' ? child.value : yield* valueOfChild(context, child))
}
