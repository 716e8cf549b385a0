/** Prints what was undone, or would be, and where. */
import type { WireUndone } from '../../wire/journal-event.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { changeLines } from './changes.ts'
import { shortId } from './commit-line.ts'
import type { Printer } from './show.ts'

export const printUndo: Printer = (result, show) => {
  const { entry, seq, refs, commit, changes } = result as WireUndone
  const where = refs.map(({ ref, name }) => (ref === 'tag' ? `tag ${name}` : name)).join(' and ')
  const what =
    commit === undefined ? `the move of ${where}` : `“${commit.intent.description}” (commit ${shortId(commit.id)})`
  const head = `${seq === undefined ? 'Would undo' : 'Undid'} on ${where}: ${what}, entry ${entry}`
  const next = seq === undefined ? 'Nothing was changed.' : `To take this back: asg undo ${seq}`
  return [visibleText(head), ...changeLines(changes, show).map(line => `  ${line}`), show.paint('dim', next)].join('\n')
}
