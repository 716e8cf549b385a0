/** What differs between two texts, line by line; for long lines, word by word. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Above this, the middle of both texts is shown as one removal and one addition: the table below grows with the product. */
const MOST_CELLS = 1_000_000

export function diffTexts(before: string, after: string): TextPart[] {
  const isLong = before.includes('\n') || after.includes('\n')
  const split = (text: string): string[] => (isLong ? text.split(/(?<=\n)/) : text.split(/(?<=\s)|(?=\s)/))
  return joined(diffPieces(split(before), split(after)))
}

function diffPieces(before: readonly string[], after: readonly string[]): TextPart[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const same = (texts: readonly string[]): TextPart[] => texts.map(text => ({ kind: 'same', text }))
  const middle = diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))]
}

/** By the table of longest common subsequences. */
function diffMiddle(before: readonly string[], after: readonly string[]): TextPart[] {
  const removed = (text: string): TextPart => ({ kind: 'removed', text })
  const added = (text: string): TextPart => ({ kind: 'added', text })
  if (before.length * after.length > MOST_CELLS) return [...before.map(removed), ...after.map(added)]
  const width = after.length + 1
  const common = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const skip = Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
      common[i * width + j] = before[i] === after[j] ? common[(i + 1) * width + j + 1]! + 1 : skip
    }
  }
  const parts: TextPart[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      parts.push({ kind: 'same', text: before[i++]! })
      j++
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) parts.push(removed(before[i++]!))
    else parts.push(added(after[j++]!))
  }
  return [...parts, ...before.slice(i).map(removed), ...after.slice(j).map(added)]
}

function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last?.kind === part.kind) result[result.length - 1] = { kind: part.kind, text: last.text + part.text }
    else result.push(part)
  }
  return result
}
