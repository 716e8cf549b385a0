/**
 * Which store a command uses: the one that `--store` or `ASG_STORE` names (a file, or the URL of a server), or the nearest `.asg`
 * folder in this folder or above it.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The folder that `asg init` makes, and the file in it. */
export const storeFolder = '.asg'
export const storeFile = 'state.db'

export type StorePlace =
  | { readonly kind: 'local'; readonly address: string }
  | { readonly kind: 'server'; readonly url: string }

function findAbove(folder: string): string | undefined {
  const file = join(folder, storeFolder, storeFile)
  if (existsSync(join(folder, storeFolder))) return file
  const above = dirname(folder)
  return above === folder ? undefined : findAbove(above)
}

export function findStore(named: string | undefined, { env, folder }: Terminal): StorePlace {
  const asked = named ?? (env['ASG_STORE'] || undefined)
  if (asked === undefined) {
    const address = findAbove(folder)
    if (address !== undefined) return { kind: 'local', address }
    throw new Refusal({
      code: 'store-not-found',
      kind: 'not-found',
      message: `There is no ${storeFolder} folder here or above`,
      hint: 'Make one with `asg init`, or name a store with --store or ASG_STORE.',
    })
  }
  if (/^https?:\/\//.test(asked)) return { kind: 'server', url: asked.replace(/\/+$/, '') }
  // Other schemes are passed on as they are; the rest are file names.
  return { kind: 'local', address: /^[a-z][\w+-]*:/i.test(asked) ? asked : resolve(folder, asked) }
}
