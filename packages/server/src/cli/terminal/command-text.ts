/** Text that a person can type into a shell. */
import type { Terminal } from './terminal.ts'
import { visibleText } from './visible-text.ts'

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

/** On a terminal, what people usually want next; `ASG_NEXT=off` leaves it out. */
export function tellNext(command: string, terminal: Pick<Terminal, 'env' | 'err' | 'seen'>): void {
  if (!terminal.seen.err || terminal.env['ASG_NEXT'] === 'off') return
  terminal.err(`next: ${commandName(terminal)} ${visibleText(command)}\n`)
}
