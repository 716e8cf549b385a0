/** A folder with a store, and `asg` in it: in this process, because another is slow to start. */
import { call, type Ended, type RunOptions, scratchFolder } from './cli-process.ts'

export type Asg = (args: readonly string[], options?: Omit<RunOptions, 'folder'>) => Promise<Ended>

export interface CliFolder {
  readonly folder: string
  readonly asg: Asg
  remove(): void
}

export function cliFolder(): CliFolder {
  const { folder, remove } = scratchFolder()
  return { folder, asg: (args, options) => call(args, { folder, ...options }), remove }
}

/** The same with a store in it. */
export async function cliStore(): Promise<CliFolder> {
  const made = cliFolder()
  await made.asg(['init'])
  return made
}
