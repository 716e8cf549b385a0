/**
 * Writes the configuration of another program: atomically, through symbolic links, with its permissions kept and a backup beside
 * it.
 */
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Returns the path of the backup; undefined when there was no file. */
export async function writeConfig(file: string, text: string): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true })
  // A symbolic link, as for dotfiles, stays one.
  const real = await realpath(file).catch(() => file)
  const backup = await backUp(real)
  const mode = await stat(real).then(
    found => found.mode,
    () => PRIVATE,
  )
  const fresh = `${real}.${process.pid}.new`
  try {
    await writeFile(fresh, text, { mode: PRIVATE, flag: 'wx' })
    await chmod(fresh, mode)
    await rename(fresh, real)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
  return backup
}

const PRIVATE = 0o600

/** Never overwrites an older backup. */
async function backUp(file: string): Promise<string | undefined> {
  for (let count = 1; ; count += 1) {
    const backup = `${file}.before-agentstategraph${count === 1 ? '' : `-${count}`}`
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL)
      return backup
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'ENOENT') return undefined
      if (code !== 'EEXIST') throw error
    }
  }
}
