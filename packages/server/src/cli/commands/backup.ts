/** `asg backup` and `asg restore`: copies of a store of this machine, and their return. */
import { resolve } from 'node:path'
import { isStateError, type Warning } from 'agentstategraph'
import type { BackupReport } from 'agentstategraph/maintenance'
import { Refusal, usageRefusal } from '../../wire/faults/refusal.ts'
import { findStore } from '../client/find-store.ts'
import { personName } from '../client/local-client.ts'
import { shellWord, tellNext } from '../terminal/command-text.ts'
import { ok } from '../terminal/exit-code.ts'
import { showProgress } from '../terminal/progress.ts'
import { reportWarning } from '../terminal/report-warning.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { BuiltinCall } from './builtin-command.ts'

/** The file of the store. The file of a server is copied where the server runs. */
function storeOf({ settings, terminal }: BuiltinCall): string {
  const place = findStore(settings.store, terminal)
  if (place.kind === 'local') return place.address
  throw usageRefusal(`${place.url} is a server: run this on its machine, with --store and the file of its store`)
}

export async function backupStore(call: BuiltinCall): Promise<number> {
  const { args, settings, terminal } = call
  const file = resolve(terminal.folder, args[0]!)
  const [{ open }, { backup }] = await Promise.all([import('agentstategraph'), import('agentstategraph/maintenance')])
  const onWarning = (warning: Warning): void => reportWarning(warning, terminal)
  await using repo = await open(storeOf(call), { readOnly: true, onWarning })
  const progress = showProgress('Verifying', terminal)
  const report = await backup(repo, file, { onProgress: ({ done, total }) => progress.step(done, total) }).finally(
    progress.end,
  )
  if (settings.json) terminal.out(`${visibleJson({ file, ...report }, 2)}\n`)
  else {
    terminal.out(`Wrote ${visibleText(file)}: ${sizeOf(report)}\n`)
    tellNext(`log -n 5 --store ${shellWord(args[0]!)}`, terminal)
  }
  return ok
}

export async function restoreStore(call: BuiltinCall): Promise<number> {
  const { args, options, settings, terminal } = call
  const file = resolve(terminal.folder, args[0]!)
  const store = storeOf(call)
  const { restore } = await import('agentstategraph/maintenance')
  const { replace, message: reason } = options as { replace?: boolean; message?: string }
  const progress = showProgress('Verifying', terminal)
  const report = await restore(file, store, {
    replace,
    reason,
    agent: settings.agent ?? personName(),
    onProgress: ({ done, total }) => progress.step(done, total),
  })
    .catch(tellReplace)
    .finally(progress.end)
  if (settings.json) terminal.out(`${visibleJson({ store, ...report }, 2)}\n`)
  else {
    terminal.out(`Restored ${visibleText(store)}: ${sizeOf(report)}\n`)
    if (report.replaced !== undefined) terminal.out(`What it held before is in ${visibleText(report.replaced)}\n`)
    tellNext('log -n 5', terminal)
  }
  return ok
}

function tellReplace(error: unknown): never {
  if (!isStateError(error, 'file-exists')) throw error
  throw new Refusal({
    code: 'file-exists',
    kind: 'conflict',
    message: error.message,
    hint: 'Nothing was written. --replace puts the backup in its place, and keeps what is there under another name.',
  })
}

function sizeOf({ namespaces, entries }: BackupReport): string {
  return `${entries} entries in ${namespaces.length === 1 ? 'one namespace' : `${namespaces.length} namespaces`}, verified`
}
