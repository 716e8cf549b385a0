/** Random edits of source files, the same for the same seed: lines put in, taken out, changed, copied and moved. */
import { readdirSync, readFileSync } from 'node:fs'

/** A text and two edits of it. */
export interface EditedPair {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

type Random = (below: number) => number

/** Source files that stay as they are, so that a seed gives the same pair for ever. */
export const heldSources: readonly string[] = sourcesIn('./source-samples/', '.txt')

/** The source files of the library as they are now. */
export function ownSources(): readonly string[] {
  return ['core', 'tree', 'store', 'repo', 'memory'].flatMap(folder => sourcesIn(`../../../src/${folder}/`, '.ts'))
}

function sourcesIn(folder: string, end: string): string[] {
  const at = new URL(folder, import.meta.url)
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(end))
    .sort()
    .map(name => readFileSync(new URL(name, at), 'utf8'))
}

export function editedPair(sources: readonly string[], seed: number): EditedPair {
  const random = randomFrom(seed)
  const base = sources[random(sources.length)]!
  return { base, ours: edited(base, random), theirs: edited(base, random) }
}

function edited(text: string, random: Random): string {
  const lines = text.split('\n').slice(0, -1)
  for (let edits = 1 + random(4); edits > 0; edits--) editLines(lines, random)
  // Now and then an editor drops the last line feed.
  return lines.join('\n') + (random(20) === 0 ? '' : '\n')
}

function editLines(lines: string[], random: Random): void {
  const at = random(lines.length + 1)
  const count = 1 + random(5)
  switch (random(6)) {
    case 0:
      lines.splice(at, count)
      break
    case 1:
      lines.splice(at, 0, ...newLines(lines, random))
      break
    case 2:
      lines.splice(at, count, ...newLines(lines, random))
      break
    case 3:
      lines.splice(random(lines.length + 1), 0, ...lines.slice(at, at + count))
      break
    case 4: {
      const moved = lines.splice(at, count)
      lines.splice(random(lines.length + 1), 0, ...moved)
      break
    }
    default:
      if (at < lines.length) lines[at] += ` // note ${random(100)}`
  }
}

/** A few lines: new ones, copies of others, and those that a source file has many of. */
function newLines(lines: readonly string[], random: Random): string[] {
  return Array.from({ length: 1 + random(4) }, () => {
    const kind = random(20)
    if (kind < 7) return `  fresh(${random(1_000_000)})`
    if (kind < 12) return lines[random(lines.length)] ?? ''
    return kind < 16 ? '' : kind < 18 ? '}' : '  }'
  })
}

/** Mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
