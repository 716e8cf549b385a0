/**
 * Which store a command uses: the one that `--store` or `ASG_STORE` names (a file, or the URL of a server), or the nearest `.asg`
 * folder in this folder or above it.
 */
import { lstatSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The folder that `asg init` makes, and the file in it. */
export const storeFolder = '.asg'
export const storeFile = 'state.db'

export type StorePlace =
  | { readonly kind: 'local'; readonly address: string }
  | { readonly kind: 'server'; readonly url: string }

function findAbove(folder: string, user: number | undefined): string | undefined {
  const found = join(folder, storeFolder)
  const stats = statSync(found, { throwIfNoEntry: false })
  if (stats !== undefined) {
    // A user that may write to a folder above could put a store there, which would get the app and the keys of this user.
    // A link is as good as a folder.
    if (user !== undefined && (stats.uid !== user || lstatSync(found).uid !== user)) throw foreign(found)
    return join(found, storeFile)
  }
  const above = dirname(folder)
  return above === folder ? undefined : findAbove(above, user)
}

function foreign(folder: string): Refusal {
  return new Refusal({
    code: 'store-foreign',
    kind: 'denied',
    message: `${folder} belongs to another user`,
    hint: 'Name it with --store or ASG_STORE to use it all the same, or make a store of your own with `asg init`.',
  })
}

export function findStore(named: string | undefined, { env, folder, user }: Terminal): StorePlace {
  const asked = named ?? (env['ASG_STORE'] || undefined)
  if (asked === undefined) {
    const address = findAbove(folder, user)
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
