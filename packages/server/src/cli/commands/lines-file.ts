/** `--out`: writes the lines of an export to a new file. */
import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { findStore } from '../client/find-store.ts'
import { findSignerFile } from '../client/store-config.ts'
import type { CommandEntry } from '../parse/command-entry.ts'
import type { Settings } from '../parse/settings.ts'
import { commandName, shellWord } from '../terminal/command-text.ts'
import { newFileAt } from '../terminal/new-file.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'

export async function writeLinesFile(
  entry: CommandEntry,
  items: AsyncIterable<unknown>,
  name: string,
  { settings, terminal }: { readonly settings: Settings; readonly terminal: Terminal },
  progress: Progress,
): Promise<void> {
  const file = newFileAt(name, terminal)
  const lines = await writeLines(items, file)
  progress.end()
  const bytes = statSync(file).size
  if (settings.json) return terminal.out(`${visibleJson({ file, lines, bytes }, 2)}\n`)
  terminal.out(`Wrote ${visibleText(file)}: ${lines} lines, ${bytes} bytes\n`)
  if (entry.name !== 'export_epoch') return
  const place = findStore(settings.store, terminal)
  const signer = findSignerFile(settings.signer, place, terminal.folder)
  const key = signer !== undefined && existsSync(`${signer}.pub`) ? ` --key ${shellWord(`${signer}.pub`)}` : ''
  terminal.err(`try: ${commandName(terminal)} verify ${shellWord(name)}${key}\n`)
}

/** Writes under another name first, so that a part is never taken for the whole. Only the owner may read what was in the store. */
async function writeLines(items: AsyncIterable<unknown>, file: string): Promise<number> {
  const part = `${file}.part`
  const stream = createWriteStream(part, { mode: 0o600 })
  let lines = 0
  try {
    // A stream that failed before its file was open would leave the file behind.
    await once(stream, 'open')
    for await (const item of items) {
      lines++
      const line = typeof item === 'string' ? item.replace(/\n$/, '') : JSON.stringify(item)
      if (!stream.write(`${line}\n`)) await once(stream, 'drain')
    }
    stream.end()
    await finished(stream)
    renameSync(part, file)
    return lines
  } catch (error) {
    stream.destroy()
    rmSync(part, { force: true })
    throw error
  }
}
