/** Prints the verdict on a bundle: one line for each level, then its inventory. */
import type { WireVerdict } from '../../wire/epoch.ts'
import type { Paint } from '../terminal/terminal.ts'
import { visibleText } from '../terminal/visible-text.ts'

const marks: Readonly<Record<string, readonly ['green' | 'red' | 'yellow', string]>> = {
  passed: ['green', '✔'],
  failed: ['red', '✘'],
  'not-checked': ['yellow', '–'],
}

const commitsText = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`)

export function printVerdict({ ok, checks, inventory }: WireVerdict, paint: Paint): string {
  const lines = checks.map(({ name, status, detail }) => {
    // A newer server may have other statuses.
    const [colour, mark] = marks[status] ?? ['yellow', '?']
    const words = detail === undefined ? '' : `  ${visibleText(detail)}`
    return `${paint(colour, mark)} ${name.padEnd(10)} ${paint(colour, status)}${words}`
  })
  const found =
    inventory === undefined
      ? []
      : [
          `epoch ${visibleText(inventory.epoch)}, entries ${inventory.from} to ${inventory.to}; commits, with those of speculations:`,
          ...Object.entries(inventory.agents).map(([agent, count]) => `  ${visibleText(agent)}: ${commitsText(count)}`),
          ...Object.entries(inventory.chains).map(
            ([chain, count]) => `  through ${visibleText(chain)}: ${commitsText(count)}`,
          ),
        ]
  const verdict = ok ? paint('green', 'Intact: nothing that was checked failed.') : paint('red', 'Not intact.')
  return [...lines, ...found, verdict].join('\n')
}
