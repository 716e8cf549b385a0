/** How the tour prints. */

const isTerminal = process.stdout.isTTY === true

function styled(code: number, text: string): string {
  return isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text
}

export function title(text: string): void {
  process.stdout.write(`\n${styled(1, text)}\n`)
}

export function say(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

/** An aside: less important than what is said. */
export function note(text: string): void {
  process.stdout.write(`  ${styled(2, text)}\n`)
}
