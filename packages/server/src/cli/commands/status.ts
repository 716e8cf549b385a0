/** `asg status`: where commands read and write here, and what is open. */
import { statSync } from 'node:fs'
import { findFile, shownAddress } from '../../host/store-address.ts'
import type { WireCommit } from '../../wire/commit.ts'
import { findStore, type StorePlace } from '../client/find-store.ts'
import { personName } from '../client/local-client.ts'
import { findSignerFile, readConfig } from '../client/store-config.ts'
import { commandName, firstWrite, tellNext } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { painter } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'
import { calledOperation } from './called-operation.ts'

type Named = { readonly name?: string; readonly id?: string; readonly label?: string }

const MOST = 100

function sizeText(place: StorePlace): string {
  const file = place.kind === 'local' ? findFile(place.address) : undefined
  const size = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) return ''
  return size < 2 ** 20 ? ` (${Math.ceil(size / 1024)} KB)` : ` (${(size / 2 ** 20).toFixed(1)} MB)`
}

function listed(items: readonly Named[], name: (item: Named) => string): string {
  if (items.length === 0) return 'none'
  const shown = items.slice(0, 5).map(name)
  const count = items.length < MOST ? String(items.length) : `${MOST} or more`
  return `${count}: ${shown.join(', ')}${items.length > shown.length ? ', …' : ''}`
}

export async function status(call: BuiltinCall): Promise<number> {
  const { options, settings, terminal } = call
  const place = findStore(settings.store, terminal)
  const kept = readConfig(place)
  const branch = kept.branch ?? 'main'
  if (options['branch'] === true) {
    terminal.out(`${visibleText(branch)}\n`)
    return ok
  }
  const items = async (name: string, input: Readonly<Record<string, unknown>> = {}): Promise<readonly Named[]> =>
    (await calledOperation(call, name, { limit: MOST, ...input }))['items'] as readonly Named[]
  const [head] = (await items('log', { ref: branch, limit: 1 })) as readonly unknown[] as readonly WireCommit[]
  const branches = await items('list_branches')
  const speculations = await items('list_specs')
  const open = await items('list_epochs', { status: 'open' })
  const signer = findSignerFile(settings.signer, place, terminal.folder)
  const store = shownAddress(place.kind === 'local' ? place.address : place.url)
  const agent = place.kind === 'server' ? undefined : (settings.agent ?? kept.agent ?? personName())
  if (settings.json) {
    const open_epochs = open.map(({ id }) => id)
    const report = { store, branch, head, agent, signer, branches: branches.map(({ name }) => name) }
    terminal.out(`${visibleJson({ ...report, speculations, open_epochs }, 2)}\n`)
    return ok
  }
  const paint = painter(terminal)
  const { commitLine } = await import('../print/commit-line.ts')
  const rows: readonly (readonly [string, string])[] = [
    ['branch', visibleText(branch)],
    ['head', head === undefined ? 'no commit yet' : commitLine(head, { paint })],
    ['store', visibleText(store) + sizeText(place)],
    ...(agent === undefined ? [] : [['agent', visibleText(agent)] as const]),
    ['branches', visibleText(listed(branches, ({ name }) => name!))],
    ['specs', visibleText(listed(speculations, ({ label, id }) => label ?? id!.slice(0, 12)))],
    ['epochs', visibleText(open.length === 0 ? 'none open' : `open: ${open.map(({ id }) => id).join(', ')}`)],
    ...(place.kind === 'server'
      ? []
      : [['signed by', visibleText(signer ?? 'nobody: `asg key new` makes a key')] as const]),
  ]
  for (const [name, text] of rows) terminal.out(`${paint('cyan', name.padEnd(9))} ${text}\n`)
  if (head === undefined) terminal.err(`try: ${commandName(terminal)} ${firstWrite}\n`)
  else tellNext('log -n 5', terminal)
  return ok
}
