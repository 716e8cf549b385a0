/** Stores with protected paths, for tests: each in a folder of its own, with its keys beside it. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type Repository } from '../../../src/repository/index.ts'
import type { Encryption } from '../../../src/tree/index.ts'
import { protect, subjectKeyFolder } from '../../../src/trust/index.ts'

export const patterns = ['/users/{subject}/profile', '/mail/{subject}/**', '/notes/{subject}/*']

export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'erasure-'))
}

export async function protection(folder: string): Promise<Encryption> {
  return protect({ patterns, keys: await subjectKeyFolder(join(folder, 'keys')) })
}

export function storeFile(folder: string): string {
  return join(folder, 'state.db')
}

export async function openProtected(folder: string = newFolder()): Promise<Repository> {
  return open(storeFile(folder), { protect: await protection(folder) })
}

/** Whether a text is anywhere in the files of a store. */
export function isInFiles(folder: string, text: string): boolean {
  const files = ['', '-wal', '-shm', '-journal'].map(suffix => storeFile(folder) + suffix)
  return files.some(file => existsSync(file) && readFileSync(file).includes(text))
}
