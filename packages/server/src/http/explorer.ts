/**
 * The files of the Explorer and the playground, the web pages for people, as they were built beside this package.
 *
 * They hold no data: everybody may read them, and the page asks for what it shows with the key of whoever reads. A server
 * without them, such as one that runs from its sources, answers with text.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../host/package-file.ts'
import type { Answer } from './exchange/answer.ts'
import type { HttpRequest } from './exchange/http-request.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=UTF-8',
  html: 'text/html; charset=UTF-8',
  js: 'text/javascript; charset=UTF-8',
}

/** Only what the server itself sends is run, and the page is shown in no other page. */
const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const safety = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' } as const
const FOLDER = '/explorer/'
const pages: Readonly<Record<string, string>> = { '/': 'index.html', '/playground': 'playground.html' }

/** Gives the files by their paths; reads the folder when first asked. */
export function explorerOf(folder: URL = packageFile('explorer/')): (path: string) => Answer | undefined {
  let files: ReadonlyMap<string, Uint8Array<ArrayBuffer>> | undefined
  return path => {
    files ??= readFiles(folder)
    const name = pages[path] ?? (path.startsWith(FOLDER) ? path.slice(FOLDER.length) : '')
    const body = files.get(name)
    if (body === undefined) return undefined
    const type = types[name.slice(name.lastIndexOf('.') + 1)]!
    return { status: 200, headers: { 'content-type': type, ...safety }, body }
  }
}

/** Whether a person's browser asks: programs such as curl take any type and get text. */
export function wantsPage(request: HttpRequest): boolean {
  return (request.headers.get('accept') ?? '').includes('text/html')
}

function readFiles(folder: URL): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const names = listNames(folder).filter(name => Object.keys(types).some(type => name.endsWith(`.${type}`)))
  return new Map(names.map(name => [name, new Uint8Array(readFileSync(new URL(name, folder)))]))
}

function listNames(folder: URL): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
