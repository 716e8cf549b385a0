/**
 * Words of texts, as queries compare them.
 *
 * A word is a run of letters, marks and digits, in lower case after NFKC. Scripts that are written without spaces have no such
 * words: a run of their characters is indexed by its characters and by its pairs of neighbours, and a query for such a run
 * finds the texts that contain it.
 *
 * The words of a commit feed an index that outlives the process which made it, so they must not depend on it. A dictionary,
 * such as the one behind `Intl.Segmenter`, gives other words with the next version of ICU; the ranges below are fixed, and the
 * category, the lower case and the normal form of a character that Unicode has assigned stay the same.
 */

/** What a query asks of a text. */
export interface WantedWords {
  /** Words that must be there. */
  readonly words: readonly string[]
  /** Runs of characters without spaces that must be there. */
  readonly runs: readonly string[]
}

/** The texts that an index keeps of a text: its words, and of runs the characters and pairs. */
export function wordsOf(text: string): string[] {
  const { words, runs } = wantedWords(text)
  return [...words, ...runs.flatMap(run => [...Array.from(run), ...pairsOf(run)])]
}

/** What a query for a text asks for. */
export function wantedWords(text: string): WantedWords {
  const words: string[] = []
  const runs: string[] = []
  for (const run of normal(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    for (const part of run.split(unspacedRun)) {
      if (part !== '') (isUnspaced.test(part) ? runs : words).push(part)
    }
  }
  return { words, runs }
}

/** Of what an index keeps of a text, what every text has that a query finds. */
export function indexedWords({ words, runs }: WantedWords): string[] {
  return [...words, ...runs.flatMap(run => (Array.from(run).length === 1 ? [run] : pairsOf(run)))]
}

/** Whether a text has all that is asked for. A query without a word finds no text. */
export function hasWords({ words, runs }: WantedWords, text: string): boolean {
  if (words.length === 0 && runs.length === 0) return false
  const present = wantedWords(text)
  return (
    words.every(word => present.words.includes(word)) && runs.every(run => present.runs.some(one => one.includes(run)))
  )
}

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run)
  return characters.slice(1).map((character, i) => characters[i]! + character)
}

/** Thai, Lao, Myanmar, Khmer, Han with its marks, Hiragana, Bopomofo and Katakana. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3038-\\u303c' +
  '\\u3041-\\u312f\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const unspacedRun = new RegExp(`([${UNSPACED}]+)`, 'u')
const isUnspaced = new RegExp(`^[${UNSPACED}]`, 'u')
