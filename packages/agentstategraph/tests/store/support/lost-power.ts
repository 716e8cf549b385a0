/**
 * A disk that loses its power: what a process did to a folder is recorded, and played back up to any moment.
 *
 * What was synced before that moment is there. Of the rest, each write is there, not there, or there in part: a disk keeps sectors,
 * in any order. Names are kept up to any moment since the last sync that covered them, in their order, as journaling file
 * systems keep them.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const sectorBytes = 512

/** Makes the recorder. Undefined where it cannot be made. */
export function makeRecorder(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const library = join(folder, 'disk-recorder.so')
  const source = fileURLToPath(new URL('disk-recorder.c', import.meta.url))
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, source, '-ldl'])
  return status === 0 ? library : undefined
}

type Step =
  | { readonly kind: 'write'; readonly inode: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'resize'; readonly inode: string; readonly offset: number }
  | { readonly kind: 'sync'; readonly inode: string }
  | { readonly kind: 'sync-names' }
  | { readonly kind: 'make'; readonly inode: string; readonly name: string }
  | { readonly kind: 'rename' | 'link'; readonly from: string; readonly name: string }
  | { readonly kind: 'remove'; readonly from: string }
  | { readonly kind: 'say'; readonly text: string }

/** What a process did and said, in its order. */
export type Recording = readonly Step[]

/** Runs a script of `tests/processes` with an empty folder, and records what it does there. */
export async function recorded(recorder: string, script: string, folder: string, orders: object): Promise<Recording> {
  const disk = join(realpathSync(folder), 'disk')
  const log = join(folder, 'log')
  mkdirSync(disk)
  const scripts = process.env['ASG_WORKERS'] ?? fileURLToPath(new URL('../../processes/', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(scripts, script), JSON.stringify({ ...orders, folder: disk })],
    {
      env: { ...process.env, LD_PRELOAD: recorder, DISK_FOLDER: disk, DISK_LOG: log, UV_USE_IO_URING: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let complaints = ''
  child.stderr.on('data', chunk => {
    complaints += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${script} failed: ${complaints}`)
  return stepsOf(readFileSync(log), disk)
}

function stepsOf(log: Buffer, disk: string): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < log.length; ) {
    const end = log.indexOf('\n', at)
    const [kind, inode = '', offset, length, ...path] = log.toString('utf8', at, end).split(' ')
    const bytes = log.subarray(end + 1, end + 1 + Number(length))
    at = end + 1 + bytes.length
    steps.push(stepOf(kind!, inode, Number(offset), bytes, disk, path.join(' ')))
  }
  return steps
}

function stepOf(kind: string, inode: string, offset: number, bytes: Buffer, disk: string, path: string): Step {
  const [from, name] = [bytes.toString(), path].map(each => relative(disk, each)) as [string, string]
  switch (kind) {
    case 'w':
      return { kind: 'write', inode, offset, bytes }
    case 't':
      return { kind: 'resize', inode, offset }
    case 's':
      return { kind: 'sync', inode }
    case 'd':
      return { kind: 'sync-names' }
    case 'o':
      return { kind: 'make', inode, name }
    case 'r':
      return { kind: 'rename', from, name }
    case 'l':
      return { kind: 'link', from, name }
    case 'u':
      return { kind: 'remove', from }
    default:
      return { kind: 'say', text: bytes.toString() }
  }
}

type Change = Extract<Step, { kind: 'write' | 'resize' }>
type Naming = Extract<Step, { kind: 'make' | 'rename' | 'link' | 'remove' }>

/** Writes into a folder what the disk has after so many steps and a loss of power. Returns what the process had said by then. */
export function playBack(recording: Recording, count: number, random: () => number, folder: string): string {
  const files = new Map<string, StoredFile>()
  const fileAt = (inode: string): StoredFile => {
    const file = files.get(inode) ?? { bytes: Buffer.alloc(0), size: 0, pending: [] }
    files.set(inode, file)
    return file
  }
  const names = new Map<string, string>()
  let namings: Naming[] = []
  const nameAll = (upTo: number): void => {
    for (const naming of namings.slice(0, upTo)) name(names, naming)
    namings = namings.slice(upTo)
  }
  let said = ''
  for (const step of recording.slice(0, count)) {
    if (step.kind === 'say') said += step.text
    else if (step.kind === 'sync-names') nameAll(namings.length)
    else if (step.kind === 'sync') {
      const file = fileAt(step.inode)
      for (const change of file.pending.splice(0)) apply(file, change)
      // The first sync of a file keeps its name too, and so all that was named before.
      nameAll(namings.findLastIndex(naming => naming.kind === 'make' && naming.inode === step.inode) + 1)
    } else if (step.kind === 'write' || step.kind === 'resize') fileAt(step.inode).pending.push(step)
    else namings.push(step)
  }
  nameAll(Math.floor(random() * (namings.length + 1)))
  for (const file of files.values()) applySome(file, random)
  for (const [name, inode] of names) {
    const { bytes, size } = fileAt(inode)
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes.subarray(0, size))
  }
  return said
}

interface StoredFile {
  bytes: Buffer
  size: number
  /** What was done since the last sync. */
  readonly pending: Change[]
}

function name(names: Map<string, string>, naming: Naming): void {
  if (naming.kind === 'make') {
    names.set(naming.name, naming.inode)
    return
  }
  const inode = names.get(naming.from)
  if (naming.kind !== 'link') names.delete(naming.from)
  if (naming.kind !== 'remove' && inode !== undefined) names.set(naming.name, inode)
}

/** Keeps some of what was not synced: the first changes, or each by chance, some of them in part. */
function applySome(file: StoredFile, random: () => number): void {
  const isOrdered = random() < 0.5
  const last = Math.floor(random() * (file.pending.length + 1))
  for (const [n, change] of file.pending.entries()) {
    const chance = random()
    if (isOrdered ? n > last : chance < 0.3) continue
    const isTorn = isOrdered ? n === last : chance > 0.7
    apply(file, isTorn && change.kind === 'write' ? torn(change, random) : change)
  }
}

/** The first sectors of a write. */
function torn(change: Extract<Change, { kind: 'write' }>, random: () => number): Change {
  const { offset, bytes } = change
  const first = Math.floor(random() * (bytes.length / sectorBytes + 1)) * sectorBytes
  const length = Math.max(0, Math.min(first - (offset % sectorBytes), bytes.length))
  return { ...change, bytes: bytes.subarray(0, length) }
}

function apply(file: StoredFile, change: Change): void {
  if (change.kind === 'resize') {
    resize(file, change.offset)
    return
  }
  const { offset, bytes } = change
  resize(file, Math.max(file.size, offset + bytes.length))
  bytes.copy(file.bytes, offset)
}

function resize(file: StoredFile, size: number): void {
  if (size > file.bytes.length) file.bytes = Buffer.concat([file.bytes], 2 * size)
  else file.bytes.fill(0, size, Math.max(size, file.size))
  file.size = size
}
