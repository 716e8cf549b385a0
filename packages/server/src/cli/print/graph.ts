/** Prints the commit graph: lanes, then each commit with its branches and tags. */

import { greatestOf } from 'agentstategraph/internal'
import type { WireGraphCommit } from '../../operations/store/journal.ts'
import { visibleText } from '../terminal/visible-text.ts'
import { shortId, shortTime } from './commit-line.ts'
import { laneRows } from './lanes.ts'
import type { Printer } from './show.ts'
import { cut } from './table.ts'

export const printGraph: Printer = (result, { paint, columns }) => {
  const { commits } = result as { readonly commits: readonly WireGraphCommit[] }
  if (commits.length === 0) return paint('dim', 'no commits')
  const rows = laneRows(commits.map(commit => ({ ...commit, parentLanes: commit.parent_lanes })))
  const width = greatestOf(rows.map(row => row.length))
  return commits
    .map(({ id, refs, agent, description, timestamp }, at) => {
      const names = refs.map(({ kind, name }) => visibleText(kind === 'tag' ? `tag ${name}` : name)).join(', ')
      const row = rows[at]!
      const line = [
        row + ' '.repeat(width - row.length),
        paint('yellow', shortId(id)),
        names === '' ? [] : [paint('green', `(${names})`)],
        visibleText(description),
        paint('dim', `${visibleText(agent)}, ${shortTime(timestamp)}`),
      ]
        .flat()
        .join(' ')
      return cut(line, columns)
    })
    .join('\n')
}
