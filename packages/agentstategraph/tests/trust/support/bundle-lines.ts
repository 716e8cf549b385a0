/** Lines of bundles, for tests: taken out of a repository, and put together again after a change. */
import { createHash } from 'node:crypto'
import type { Repository } from '../../../src/repository/index.ts'
import { type ExportOptions, epochs } from '../../../src/trust/index.ts'

export async function linesOf(repo: Repository, epoch: string, options: ExportOptions = {}): Promise<string[]> {
  const lines: string[] = []
  for await (const line of epochs(repo).export(epoch, options)) lines.push(line)
  return lines
}

/** The lines with a last line that fits those before it. */
export function ended(lines: readonly string[]): string[] {
  const before = lines.filter(line => !line.includes('"type":"end"'))
  const digest = createHash('sha256').update(before.join('')).digest('base64')
  return [...before, `{"digest":"${digest}","lines":${before.length},"type":"end"}\n`]
}

export interface AnyRecord {
  [field: string]: unknown
  type: string
}

export function recordOf(line: string): AnyRecord {
  return JSON.parse(line) as AnyRecord
}

/** The line of a record whose fields are in any order. */
export function lineOf(record: AnyRecord): string {
  const sorted = Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify(sorted)}\n`
}
