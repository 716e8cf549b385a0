/** Runs one operation from the command line: finds the store, calls, prints, and returns the exit code. */
import type { Command } from 'commander'
import { isRecord } from '../wire/wired.ts'
import { isStream } from './client/client.ts'
import { findStore } from './client/find-store.ts'
import { openClient } from './client/open-client.ts'
import { readConfig } from './client/store-config.ts'
import { insteadOf } from './commands/log-graph.ts'
import type { CommandEntry } from './parse/command-entry.ts'
import { peopleInput } from './parse/people-input.ts'
import type { Settings } from './parse/settings.ts'
import { shortcutsGiven } from './parse/shortcuts.ts'
import { outcomeOf } from './print/outcome.ts'
import type { Printer, Show } from './print/show.ts'
import { commandName, firstWrite, tellNext } from './terminal/command-text.ts'
import { ok } from './terminal/exit-code.ts'
import { showProgress } from './terminal/progress.ts'
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

export async function runOperation(call: OperationCall): Promise<number> {
  const { settings, terminal } = call
  const shortcuts = shortcutsGiven(call.entry, call.given)
  const typed = await call.input()
  if (call.entry.name === 'verify') {
    const { findBundleCall, verifyBundleFile } = await import('./commands/bundle/verify-bundle.ts')
    const bundle = findBundleCall(shortcuts, typed)
    if (bundle !== undefined) return verifyBundleFile(bundle, settings, terminal)
  }
  const { entry, input: asked } = insteadOf(call.entry, typed, shortcuts, call.entries)
  const place = findStore(settings.store, terminal)
  const { branch } = readConfig(place)
  const { json } = settings
  const { input, usesBranch } = peopleInput({ entry, typed: asked, branch, now: new Date(), json })
  // In a script, only a branch that is not the usual one is worth a line.
  if (usesBranch && !json && (branch !== undefined || terminal.seen.err)) {
    terminal.err(`on ${visibleText(branch ?? 'main')}\n`)
  }
  const show: Show = {
    paint: painter(terminal),
    columns: terminal.seen.out ? terminal.columns : Number.POSITIVE_INFINITY,
    shortcuts,
    input: typed,
  }
  if (entry.name === 'compact') {
    const { compactApart, findCompactFile } = await import('./commands/compact-apart.ts')
    const file = findCompactFile(place, settings, terminal)
    if (file !== undefined) return compactApart(file, settings, show, terminal)
  }
  if (entry.name === 'repair' && shortcuts['emptyTorn'] === true) {
    const { emptyTornSegment } = await import('./client/empty-torn.ts')
    await emptyTornSegment(place, typed['namespace'], terminal)
  }
  const progress = showProgress(entry.summary, terminal)
  try {
    const client = await openClient({ place, entry, settings, terminal, onProgress: progress.step })
    try {
      const result = await client.call(input)
      if (isStream(result)) {
        const file = shortcuts['out']
        if (typeof file !== 'string') await printStream(entry, result, show, settings, terminal, progress.step)
        else await (await import('./commands/lines-file.ts')).writeLinesFile(entry, result, file, call, progress)
        return ok
      }
      progress.end()
      if (settings.json) terminal.out(`${visibleJson(result, 2)}\n`)
      else {
        const text = `${(await printerFor(entry))(result, show)}\n`
        if (entry.effect === 'read') terminal.page(text)
        else terminal.out(text)
        if (!tellFresh(result, terminal) && terminal.seen.err) {
          const { findNextStep } = await import('./parse/next-step.ts')
          const next = findNextStep(entry.name, input, result)
          if (next !== undefined) tellNext(next, terminal)
        }
      }
      return outcomeOf(entry.name, result)
    } finally {
      await client.close()
    }
  } finally {
    progress.end()
  }
}

/** Where nothing is written yet, the answer is empty, and this says what comes next. */
function tellFresh(result: unknown, terminal: Terminal): boolean {
  if (!isRecord(result) || typeof result['hint'] !== 'string') return false
  terminal.err(`${visibleText(result['hint'])}\ntry: ${commandName(terminal)} ${firstWrite}\n`)
  return true
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
