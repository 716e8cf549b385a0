/** What to type for `asg` where it was called: in a workspace that npm runs it from, it is on no path of the shell. */
import type { Terminal } from './terminal.ts'

export function commandName({ env }: Pick<Terminal, 'env'>): 'asg' | 'npx asg' {
  return /\basg\b/.test(env['npm_lifecycle_script'] ?? '') ? 'npx asg' : 'asg'
}
