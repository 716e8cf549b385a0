/** The API of retention: rules for old states, which `gc` follows. */

import { checkOptions } from '../core/index.ts'
import { type Keep, keepOptions, setRetention as set } from '../repo/index.ts'
import { type AnyRepository, writable } from './repository.ts'

/**
 * Records which old states are kept; from then on every `gc` drops the others. Commits, blame and verification stay.
 * With `undefined`, no more states are dropped. What was dropped does not come back.
 */
export async function setRetention(repo: AnyRepository, keep: Keep | undefined): Promise<void> {
  if (keep !== undefined) checkOptions(keepOptions, keep)
  const handle = writable(repo, 'setRetention')
  await handle.journal.run(set(handle, keep))
}
