/** The folder of this user for compiled code, which the clients in other languages use too. */
import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const OWNER_ONLY = 0o700
const WRITABLE_BY_OTHERS = 0o022

/** Undefined when there is none that only this user can write to. */
export function findPrivateFolder(env: NodeJS.ProcessEnv): string | undefined {
  try {
    const given = process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME']
    const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), '.cache')
    const own = join(base, 'agentstategraph')
    const compiled = join(own, 'compiled')
    return madePrivate(own) && madePrivate(compiled) ? compiled : undefined
  } catch {
    // A user without a home, or a file system that is only read.
    return undefined
  }
}

/** Makes the folder when it is missing. */
function madePrivate(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY })
  const { uid, mode } = statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0)
}
