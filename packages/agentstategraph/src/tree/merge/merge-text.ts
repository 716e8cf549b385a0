/**
 * Three-way merge of texts, line by line.
 *
 * A line is the text before a line feed, with a carriage return if it has one. Whether the last line ends with a line feed
 * is merged separately, so a side that drops it neither changes a line nor joins two lines.
 */

import { diff3 } from './diff3.ts'

interface Lines {
  readonly lines: readonly string[]
  /** Whether the last line ends with a line feed; undefined without lines. */
  readonly isEnded: boolean | undefined
}

/** The merged text, or undefined when both sides changed the same lines differently. */
export function mergeText(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || base === theirs) return ours
  if (base === ours) return theirs
  const [was, mine, yours] = [base, ours, theirs].map(linesOf) as [Lines, Lines, Lines]
  const lines = diff3(was.lines, mine.lines, yours.lines)
  if (lines === undefined) return undefined
  if (lines.length === 0) return ''
  const isEnded = mergedEnd(was.isEnded, mine.isEnded, yours.isEnded)
  return isEnded === undefined ? undefined : lines.join('\n') + (isEnded ? '\n' : '')
}

/** Whether the merged text ends with a line feed; sides without lines are ignored. Undefined when two new texts differ. */
function mergedEnd(
  was: boolean | undefined,
  mine: boolean | undefined,
  yours: boolean | undefined,
): boolean | undefined {
  if (mine === yours || yours === undefined || yours === was) return mine
  return mine === undefined || mine === was ? yours : undefined
}

function linesOf(text: string): Lines {
  if (text === '') return { lines: [], isEnded: undefined }
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  if (isEnded) lines.pop()
  return { lines, isEnded }
}
