/** Runs one operation from the command line: finds the store, calls, prints, and returns the exit code. */
import type { Warning } from 'agentstategraph'
import type { Command } from 'commander'
import { usageRefusal } from '../wire/faults/refusal.ts'
import { type Client, isStream } from './client/client.ts'
import { findStore } from './client/find-store.ts'
import { loadApps } from './client/load-apps.ts'
import { insteadOf } from './commands/log-graph.ts'
import type { CommandEntry } from './parse/command-entry.ts'
import type { Settings } from './parse/settings.ts'
import { shortcutsGiven } from './parse/shortcuts.ts'
import { outcomeOf } from './print/outcome.ts'
import type { Printer, Show } from './print/show.ts'
import { ok } from './terminal/exit-code.ts'
import { type Progress, showProgress } from './terminal/progress.ts'
import { reportWarning } from './terminal/report-warning.ts'
import { painter, type Terminal } from './terminal/terminal.ts'
import { visibleJson, visibleText } from './terminal/visible-text.ts'

export interface OperationCall {
  readonly entry: CommandEntry
  readonly entries: readonly CommandEntry[]
  readonly input: () => Promise<Readonly<Record<string, unknown>>>
  readonly given: Command
  readonly settings: Settings
  readonly terminal: Terminal
}

async function openClient(
  entry: CommandEntry,
  settings: Settings,
  terminal: Terminal,
  progress: Progress,
): Promise<Client> {
  const { store, token, agent, app } = settings
  const place = findStore(store, terminal)
  const signal = entry.stream === undefined ? undefined : terminal.untilStopped()
  if (place.kind === 'server') {
    refuseTyped(settings, ['agent', 'app'], 'A server decides by the key who calls, and has its own app')
    const { openRemoteClient } = await import('./client/remote-client.ts')
    return openRemoteClient({ url: place.url, token, entry, signal })
  }
  refuseTyped(settings, ['token'], 'A store of this machine needs no key')
  const { openLocalClient } = await import('./client/local-client.ts')
  const apps = app === undefined ? undefined : await loadApps(app, terminal.folder)
  const onWarning = (warning: Warning): void => reportWarning(warning, terminal)
  return openLocalClient({ address: place.address, agent, apps, entry, signal, onProgress: progress.step, onWarning })
}

function refuseTyped({ typed }: Settings, names: readonly string[], why: string): void {
  const wrong = names.filter(name => typed.includes(name))
  if (wrong.length > 0) throw usageRefusal(`${why}: leave out ${wrong.map(name => `--${name}`).join(' and ')}`)
}

export async function runOperation(call: OperationCall): Promise<number> {
  const { settings, terminal } = call
  const shortcuts = shortcutsGiven(call.entry, call.given)
  const given = await call.input()
  if (call.entry.name === 'verify') {
    const { findBundleCall, verifyBundleFile } = await import('./commands/verify-bundle.ts')
    const bundle = findBundleCall(shortcuts, given)
    if (bundle !== undefined) return verifyBundleFile(bundle, settings, terminal)
  }
  const { entry, input } = insteadOf(call.entry, given, shortcuts, call.entries)
  const show: Show = { paint: painter(terminal), columns: terminal.columns, shortcuts }
  const progress = showProgress(entry.summary, terminal)
  try {
    const client = await openClient(entry, settings, terminal, progress)
    try {
      const result = await client.call(input)
      if (isStream(result)) {
        await printStream(entry, result, show, settings, terminal, progress.step)
        return ok
      }
      progress.end()
      if (settings.json) terminal.out(`${visibleJson(result, 2)}\n`)
      else terminal.out(`${(await printerFor(entry))(result, show)}\n`)
      return outcomeOf(entry.name, result)
    } finally {
      await client.close()
    }
  } finally {
    progress.end()
  }
}

/** Loaded only for output that is not JSON. */
async function printerFor({ name }: CommandEntry): Promise<Printer> {
  return (await import('./print/printers.ts')).printerOf(name)
}

async function printStream(
  entry: CommandEntry,
  items: AsyncIterable<unknown>,
  show: Show,
  { json }: Settings,
  terminal: Terminal,
  step: (done: number) => void,
): Promise<void> {
  const print = await printerFor(entry)
  let count = 0
  for await (const item of items) {
    count++
    if (entry.stream === 'lines') {
      terminal.out(`${typeof item === 'string' ? plainLine(item, terminal) : visibleJson(item)}\n`)
      // Visible lines already show the progress.
      if (!terminal.seen.out) step(count)
    } else terminal.out(`${json ? visibleJson(item) : print(item, show)}\n`)
  }
}

/** A line of a file goes into a file as it is; where a person sees it, it is escaped. */
function plainLine(item: string, terminal: Terminal): string {
  const line = item.replace(/\n$/, '')
  return terminal.seen.out ? visibleText(line) : line
}
