/** Prints the result of `verify`. */
import { isRecord } from '../../wire/wired.ts'
import { visibleText } from '../terminal/visible-text.ts'
import type { Fields, Printer } from './show.ts'
import { cellText } from './table.ts'

export const printStoreReport: Printer = (result, { paint }) => {
  const { ok, checked, damage } = result as {
    readonly ok: boolean
    readonly checked: number
    readonly damage: readonly unknown[]
  }
  if (ok) return paint('green', `Intact: ${checked} entries checked, nothing is damaged.`)
  const line = (found: unknown): string =>
    isRecord(found)
      ? Object.values<unknown>(found as Fields)
          .map(cellText)
          .join(': ')
      : visibleText(String(found))
  return [paint('red', `Damaged: ${damage.length} findings in ${checked} entries.`), ...damage.map(line)].join('\n')
}
