/** `asg copy`: a whole store on another backend. */
import { resolve } from 'node:path'
import { shownAddress } from '../../host/store-address.ts'
import { storeAt } from '../../host/store-at.ts'
import { ok } from '../terminal/exit-code.ts'
import { showProgress } from '../terminal/progress.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'

export async function copy({ args, settings, terminal }: BuiltinCall): Promise<number> {
  const [from, to] = args.map(address =>
    /^[a-z][a-z0-9+.-]+:/i.test(address) ? address : resolve(terminal.folder, address),
  )
  const { copyStore } = await import('agentstategraph/maintenance')
  await using source = await storeAt(from!, true)
  await using target = await storeAt(to!)
  const progress = showProgress('Copying', terminal)
  const report = await copyStore(source, target, {
    onProgress: ({ done, total }) => progress.step(done, total),
  }).finally(progress.end)
  if (settings.json) terminal.out(`${visibleJson({ ...report }, 2)}\n`)
  else {
    const { namespaces, entries, copied } = report
    const places = namespaces.length === 1 ? 'one namespace' : `${namespaces.length} namespaces`
    terminal.out(
      `Copied ${copied} entries to ${visibleText(shownAddress(args[1]!))}: ${entries} in ${places}, verified\n`,
    )
  }
  return ok
}
