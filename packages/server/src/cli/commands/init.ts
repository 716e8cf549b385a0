/** `asg init`: creates a `.asg` folder with a store, which commands in or below this folder find. */
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { usageRefusal } from '../../wire/faults/refusal.ts'
import { storeFile, storeFolder } from '../client/find-store.ts'
import { personName } from '../client/local-client.ts'
import { commandName, firstWrite } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { visibleJson } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'

export async function init({ args, settings, terminal }: BuiltinCall): Promise<number> {
  if (settings.typed.includes('store')) {
    const hint = 'A store elsewhere is made by the first write to it: give --store to `asg set`.'
    throw usageRefusal('asg init makes a .asg folder, and takes no --store', hint)
  }
  const folder = join(resolve(terminal.folder, args[0] ?? '.'), storeFolder)
  const store = join(folder, storeFile)
  const made = !existsSync(store)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { openHost } = await import('../../host/store-host.ts')
  const host = await openHost(store, { agent: settings.agent ?? personName() })
  await host.close()
  if (settings.json) terminal.out(`${visibleJson({ store, made }, 2)}\n`)
  else terminal.out(`${made ? 'Made' : 'There is already'} a store at ${store}\n`)
  terminal.err(`try: ${commandName(terminal)} ${firstWrite}\n`)
  return ok
}
