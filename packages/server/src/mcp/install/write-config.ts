/**
 * Writing somebody else's configuration: whole or not at all, through links, with its rights kept, and with the file as it was
 * beside it.
 */
import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Gives where the file as it was is kept; nothing when there was none. */
export async function writeConfig(file: string, text: string): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true })
  // A link, as people keep their dotfiles, stays one.
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

/** Never writes over an older one. */
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
