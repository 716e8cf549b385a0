/** `asg ui`: shows a store in a browser. A file is served for that, with a key of its own, until the command is stopped. */
import { existsSync } from 'node:fs'
import { newToken } from '../../host/operator-token.ts'
import { findFile } from '../../host/store-address.ts'
import { Refusal } from '../../wire/faults/refusal.ts'
import { findStore } from '../client/find-store.ts'
import { openInBrowser } from '../terminal/browser.ts'
import { ok } from '../terminal/exit-code.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { serveUntilStopped } from './serve.ts'

export async function ui(call: BuiltinCall): Promise<number> {
  const { args, options, settings, terminal } = call
  const place = findStore(args[0] ?? settings.store, terminal)
  const show = (url: string): void => {
    if (options['open'] !== false) openInBrowser(url, terminal)
  }
  if (place.kind === 'server') {
    terminal.out(`Explorer: ${place.url}\n`)
    show(place.url)
    return ok
  }
  const file = findFile(place.address)
  if (file !== undefined && !existsSync(file)) throw noStore(file)
  const token = settings.token ?? newToken()
  const served = { ...call, options: { ...options, port: options['port'] ?? '0' } }
  return serveUntilStopped(served, { store: place.address, token }, ({ url, shownToken }) => {
    show(url)
    const key = shownToken === undefined ? 'the one that you gave' : shownToken
    return `Explorer: ${url}\nThe key that it asks for, until this command ends: ${key}\n`
  })
}

function noStore(file: string): Refusal {
  return new Refusal({
    code: 'store-not-found',
    kind: 'not-found',
    message: `There is no store at ${file}`,
    hint: 'Make one with `asg init`, or name another file.',
  })
}
