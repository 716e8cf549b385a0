/** Reports a failure on stderr with the next useful command and, with `--json`, as a document on stdout too. */
import type { Fault } from '../../wire/faults/fault.ts'
import { commandName } from '../terminal/command-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { visibleJson, visibleText } from '../terminal/visible-text.ts'
import type { CommandEntry } from './command-entry.ts'
import { type Called, findNextCommand } from './next-command.ts'
import { inShellWords } from './shell-words.ts'

export interface Report {
  readonly called: Called | undefined
  readonly entries: readonly CommandEntry[]
  readonly json: boolean
  readonly terminal: Terminal
}

export function reportFault(fault: Fault, { called, entries, json, terminal }: Report): void {
  const { code, kind, message, data } = fault
  const hint = inShellWords(fault, entries)
  if (json) terminal.out(`${visibleJson({ error: { code, kind, message, hint, data } }, 2)}\n`)
  const next = findNextCommand(fault, called, entries)
  const lines = [
    `asg: ${visibleText(message)} [${visibleText(code)}]`,
    hint === undefined ? [] : [`     ${visibleText(hint)}`],
    next === undefined ? [] : [`try: ${commandName(terminal)} ${visibleText(next)}`],
  ].flat()
  terminal.err(`${lines.join('\n')}\n`)
}
