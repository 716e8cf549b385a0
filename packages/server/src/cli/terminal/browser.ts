/** Opens an address in the browser of the user. */
import { spawn } from 'node:child_process'
import type { Terminal } from './terminal.ts'

/** The programs that do, by system, with what comes before the address. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Does not wait for the browser. Says so when there is none. */
export function openInBrowser(url: string, { env, err }: Terminal): void {
  const [program, ...before] = env['BROWSER'] ? [env['BROWSER']] : (openers[process.platform] ?? ['xdg-open'])
  const child = spawn(program, [...before, url], { stdio: 'ignore', detached: true })
  child.once('error', () => err('No browser could be started; open the address yourself.\n'))
  child.unref()
}
