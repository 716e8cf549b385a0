/**
 * `asg compact` for a person: a process of its own compacts, and this one shows how far it is.
 *
 * SQLite rewrites a file in one call, in which the process that makes it can do nothing else. What it has written is seen from
 * outside: first a temporary file without a name grows to the size of what is kept, then the log beside the store does.
 */
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../host/package-file.ts'
import { findFile } from '../../host/store-address.ts'
import type { StorePlace } from '../client/find-store.ts'
import type { Settings } from '../parse/settings.ts'
import { printerOf } from '../print/printers.ts'
import type { Show } from '../print/show.ts'
import { showProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

const MB = 1e6
const LOOK_MS = 100

/** The file that is compacted apart: for a person, on a file of this machine that there is. */
export function findCompactFile(place: StorePlace, { json }: Settings, { seen }: Terminal): string | undefined {
  const file = place.kind === 'local' && seen.err && !json ? findFile(place.address) : undefined
  return file !== undefined && existsSync(file) ? file : undefined
}

export async function compactApart(file: string, { agent }: Settings, show: Show, terminal: Terminal): Promise<number> {
  const progress = showProgress('Compact (MB)', terminal)
  const total = 2 * keptBytes(headerOf(file))
  const args = ['compact', '--json', '--store', file, ...(agent === undefined ? [] : ['--agent', agent])]
  const program = [...process.execArgv, fileURLToPath(packageFile('bin/asg.mjs')), ...args]
  const env: NodeJS.ProcessEnv = Object.assign({}, process.env, terminal.env)
  const child = spawn(process.execPath, program, { cwd: terminal.folder, env })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdin.end()
  child.stdout.setEncoding('utf8').on('data', text => out.push(text))
  child.stderr.setEncoding('utf8').on('data', text => err.push(text))
  const timer = setInterval(() => {
    const log = sizeOf(() => statSync(`${file}-wal`))
    progress.step(writtenBytes(total, log, unnamedBytes(child.pid)) / MB, total / MB)
  }, LOOK_MS)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', status => resolve(status ?? 1))
  }).finally(() => {
    clearInterval(timer)
    progress.end()
  })
  if (err.length > 0) terminal.err(err.join(''))
  if (code === 0) terminal.out(`${printerOf('compact')(JSON.parse(out.join('')), show)}\n`)
  return code
}

function headerOf(file: string): Uint8Array {
  const header = new Uint8Array(100)
  const opened = openSync(file, 'r')
  readSync(opened, header, 0, header.length, 0)
  closeSync(opened)
  return header
}

/** The bytes of the pages in use, from the header of a SQLite file. */
export function keptBytes(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const size = view.getUint16(16)
  // A page of 64 KiB is written as 1.
  return (size === 1 ? 65536 : size) * (view.getUint32(28) - view.getUint32(36))
}

/** What was written of the total, which is the copy and, in the log, the copy back. The log begins to grow when the copy is made. */
export function writtenBytes(total: number, log: number, copied: number): number {
  const half = total / 2
  return Math.min(total, log > half / 100 ? half + log : Math.min(half, copied))
}

/** The size of the files of a process that have no name any more, where the system shows them. */
function unnamedBytes(pid: number | undefined): number {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).reduce((sum, fd) => sum + sizeOf(() => unnamed(statSync(`${folder}/${fd}`))), 0)
  } catch {
    return 0
  }
}

function unnamed(file: Stats): { readonly size: number } {
  return file.isFile() && file.nlink === 0 ? file : { size: 0 }
}

function sizeOf(stat: () => { readonly size: number }): number {
  try {
    return stat().size
  } catch {
    return 0
  }
}
