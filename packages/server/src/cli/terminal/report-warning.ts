/** Reports on stderr what the library noticed and went on from. */
import type { Warning } from 'agentstategraph'
import type { Terminal } from './terminal.ts'
import { visibleText } from './visible-text.ts'

export function reportWarning({ code, message, hint }: Warning, terminal: Terminal): void {
  const lines = [
    `asg: warning: ${visibleText(message)} [${visibleText(code)}]`,
    ...(hint === undefined ? [] : [`     ${visibleText(hint)}`]),
  ]
  terminal.err(`${lines.join('\n')}\n`)
}
