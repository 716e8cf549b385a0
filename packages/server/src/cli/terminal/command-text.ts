/** Text that a person can type into a shell. */
import type { Terminal } from './terminal.ts'

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** The name to type for `asg`. Where npm runs it from a workspace, the shell does not find it by itself. */
export function commandName({ env }: Pick<Terminal, 'env'>): 'asg' | 'npx asg' {
  return /\basg\b/.test(env['npm_lifecycle_script'] ?? '') ? 'npx asg' : 'asg'
}

/** The write that is proposed where nothing is written yet. */
export const firstWrite = "set /hello world -m 'Say hello'"
