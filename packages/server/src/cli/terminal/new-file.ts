/** The name of a file to write. A file that is there already may be evidence, and is left alone. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal } from '../../wire/faults/refusal.ts'
import type { Terminal } from './terminal.ts'

/** The whole name; refused if there is such a file. */
export function newFileAt(name: string, { folder }: Pick<Terminal, 'folder'>): string {
  const file = resolve(folder, name)
  if (!existsSync(file)) return file
  throw new Refusal({
    code: 'file-exists',
    kind: 'conflict',
    message: `${file} is there already`,
    hint: 'Nothing was written. Name another file, or move this one away.',
  })
}
