/** `asg verify <bundle>`: verifies a bundle offline, without a store, with the auditor's own keys. */
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageRefusal } from '../../../wire/faults/refusal.ts'
import { optionName } from '../../parse/command-entry.ts'
import type { Settings } from '../../parse/settings.ts'
import { printVerdict } from '../../print/verdict.ts'
import { ok, verificationFailed } from '../../terminal/exit-code.ts'
import { linesOf } from '../../terminal/lines.ts'
import { newFileAt } from '../../terminal/new-file.ts'
import { showProgress } from '../../terminal/progress.ts'
import { painter, type Terminal } from '../../terminal/terminal.ts'
import { visibleJson, visibleLines, visibleText } from '../../terminal/visible-text.ts'

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usageRefusal(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A key as it is (name+hash+base64), or each line of a file of keys. */
function keysIn(given: string, folder: string): readonly string[] {
  if (/^[^\s/]+\+[0-9a-f]{8}\+\S+$/.test(given)) return [given]
  const lines = readText(resolve(folder, given)).split('\n')
  return lines.map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'))
}

/** What is told of a bundle beside its verdict. */
interface Noted {
  first: string
  /** The signed head, of the line that has it. */
  head: string | undefined
}

/** The same lines, with a note of some. */
async function* noting(lines: AsyncIterable<string>, noted: Noted): AsyncGenerator<string> {
  let isFirst = true
  for await (const line of lines) {
    if (isFirst) noted.first = line
    isFirst = false
    if (line.includes('"type":"checkpoint"')) noted.head = headIn(line)
    yield line
  }
}

function headIn(line: string): string | undefined {
  try {
    const { type, head } = JSON.parse(line)
    return type === 'checkpoint' && typeof head === 'string' ? head : undefined
  } catch {
    return undefined
  }
}

function linesIn(bundle: string, terminal: Terminal): AsyncIterable<string> {
  if (bundle === '-') return linesOf(process.stdin)
  const file = resolve(terminal.folder, bundle)
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw usageRefusal(`There is no file ${file}`)
  return linesOf(createReadStream(file))
}

/** The arguments about a bundle, which need one. */
export interface BundleCall {
  readonly bundle: string
  readonly key: readonly string[]
  readonly prior: string | undefined
  readonly saveHead: string | undefined
}

/** The bundle to verify, if one is named; otherwise the store is verified. */
export function findBundleCall(
  given: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): BundleCall | undefined {
  const { bundle, key = [], prior, saveHead } = given as Partial<BundleCall>
  if (bundle === undefined) {
    const isAbout = key.length > 0 || prior !== undefined || saveHead !== undefined
    if (isAbout) throw usageRefusal('--key, --prior and --save-head are for a bundle: name its file')
    return undefined
  }
  const fields = Object.keys(input).map(name => `--${optionName(name)}`)
  if (fields.length > 0) throw usageRefusal(`A bundle is verified by itself: leave out ${fields.join(' and ')}`)
  return { bundle, key, prior, saveHead }
}

export async function verifyBundleFile(
  { bundle, key, prior, saveHead }: BundleCall,
  { json }: Settings,
  terminal: Terminal,
): Promise<number> {
  const keys = key.flatMap(each => keysIn(each, terminal.folder))
  const kept = saveHead === undefined ? undefined : newFileAt(saveHead, terminal)
  const noted: Noted = { first: '', head: undefined }
  const lines = noting(linesIn(bundle, terminal), noted)
  const { verifyBundle } = await import('agentstategraph/trust')
  const progress = showProgress('Verifying', terminal)
  const verdict = await verifyBundle(lines, {
    keys,
    prior: prior === undefined ? undefined : readText(resolve(terminal.folder, prior)),
    onProgress: ({ done, total }) => progress.step(done, total),
  }).finally(progress.end)
  const head = verdict.ok ? noted.head : undefined
  if (kept !== undefined && head !== undefined) writeFileSync(kept, head, { flag: 'wx' })
  if (json) terminal.out(`${visibleJson(verdict, 2)}\n`)
  else if (!verdict.ok && !beginsBundle(noted.first)) {
    terminal.out(`This is no bundle: ${visibleText(bundle)} does not begin with the header of one.\n`)
    terminal.err('     A bundle is what `asg epoch export` writes. Nothing of this file was checked.\n')
  } else {
    terminal.out(`${visibleLines(printVerdict(verdict, painter(terminal)))}\n`)
    if (terminal.seen.err)
      terminal.err(`     ${adviceOn(verdict, keys.length > 0, head === undefined ? undefined : kept)}\n`)
  }
  return verdict.ok ? ok : verificationFailed
}

/** What to do with a verdict. */
function adviceOn({ ok }: { readonly ok: boolean }, hasKey: boolean, kept: string | undefined): string {
  if (!ok) return 'Do not rely on this bundle. Get it again through another channel, and ask who made it.'
  if (kept !== undefined)
    return `The signed head is in ${visibleText(kept)}: with --prior, the next bundle has to extend it.`
  return hasKey
    ? 'Keep the signed head of this bundle with --save-head: with --prior, the next one has to extend it.'
    : 'Who made it is not known: give the public key of the log with --key, from another source than the bundle.'
}

/** Whether a line is the header that a bundle begins with, or was one. */
function beginsBundle(line: string): boolean {
  return line.startsWith('{') && line.includes('"agentstategraph-bundle"')
}
