/** Long answers on a terminal go through a pager: that of ASG_PAGER or PAGER, or `less`. `cat` or an empty name leaves it out. */

export interface Page {
  readonly isTerminal: boolean
  /** The height of the terminal. */
  readonly rows: number
  readonly env: Readonly<Record<string, string | undefined>>
  write(text: string): void
  /** Runs a command of the shell with a text as its input; false when it cannot be run. */
  run(command: string, input: string, env: Readonly<Record<string, string | undefined>>): boolean
}

export function pageText(text: string, { isTerminal, rows, env, write, run }: Page): void {
  const pager = env['ASG_PAGER'] ?? env['PAGER'] ?? 'less'
  const fits = text.split('\n').length <= rows
  if (!isTerminal || fits || pager === '' || pager === 'cat' || env['TERM'] === 'dumb') write(text)
  // It ends at once when all of it fits, keeps colours, and leaves the text on the screen.
  else if (!run(pager, text, { LESS: 'FRX', ...env })) write(text)
}
