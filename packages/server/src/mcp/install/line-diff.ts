/** A diff for a person: one run of removed and added lines, with some context. */

const AROUND = 3

export function lineDiff(before: string, after: string): string {
  const old = linesOf(before)
  const fresh = linesOf(after)
  const most = Math.min(old.length, fresh.length)
  let head = 0
  while (head < most && old[head] === fresh[head]) head += 1
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  const shown = [
    ...old.slice(Math.max(0, head - AROUND), head).map(line => `  ${line}`),
    ...old.slice(head, old.length - tail).map(line => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map(line => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + AROUND).map(line => `  ${line}`),
  ]
  return shown.map(line => `${line}\n`).join('')
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
