/**
 * What the inside of a file must not have, and how a file must be cut and named.
 *
 * It looks at one file at a time and knows nothing about imports.
 */
import { type Fault, isTest, type SourceFile, withoutComments } from './source-file.ts'

const lineLimit = 400

const hiddenInputs: readonly { readonly pattern: RegExp; readonly name: string; readonly remedy: string }[] = [
  { pattern: /\bconsole\s*\./, name: 'console', remedy: 'The library never prints. Return it, or throw a StateError.' },
  { pattern: /\bprocess\s*\.\s*env\b/, name: 'process.env', remedy: 'Take it as an option.' },
  { pattern: /\bDate\s*\.\s*now\s*\(/, name: 'Date.now()', remedy: 'Take a clock as an option.' },
  { pattern: /\bnew\s+Date\s*\(\s*\)/, name: 'new Date()', remedy: 'Take a clock as an option.' },
  {
    pattern: /\bMath\s*\.\s*random\s*\(/,
    name: 'Math.random()',
    remedy: 'Take a source of random numbers as an option.',
  },
]

/** Finds library code that prints, reads the environment, or calls a clock or dice nobody handed in. */
export function findHiddenInputs(files: readonly SourceFile[]): Fault[] {
  return files
    .filter(file => !isTest(file))
    .flatMap(file => {
      const code = withoutComments(file.text)
      return hiddenInputs
        .filter(({ pattern }) => pattern.test(code))
        .map(({ name, remedy }) => ({ path: file.path, fault: `uses ${name}`, remedy }))
    })
}

/** A list that becomes the arguments of a call, in which each element takes a place on the stack. */
const spread =
  /(?:\.(?:push|unshift|splice|toSpliced|concat)|Math\.(?:max|min)|fromCharCode|fromCodePoint)\(\s*(?:[^(){}[\]]*,\s*)?\.\.\./

/** What is put in at once there is bounded: a few pieces of a list, and some thousand elements. */
const boundedSpreads: readonly string[] = ['tree/edit/list-edit.ts', 'memory/state/update-proxy.ts']

/** Finds code that spreads lists into calls that take many arguments: long ones overflow the stack. */
export function findSpreads(files: readonly SourceFile[]): Fault[] {
  const remedy = 'Use appendAll, leastOf or greatestOf of core, or a loop.'
  return files
    .filter(file => !isTest(file) && !boundedSpreads.some(path => file.path.endsWith(path)))
    .filter(({ text }) => spread.test(withoutComments(text)))
    .map(({ path }) => ({ path, fault: 'spreads a list into the arguments of a call', remedy }))
}

/** Finds files that are too long to hold one concept. */
export function findLongFiles(files: readonly SourceFile[]): Fault[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const remedy = `Split it by concept; ${lineLimit} lines is the limit, half of that is common.`
    return lines > lineLimit ? [{ path, fault: `has ${lines} lines`, remedy }] : []
  })
}

/** Finds files whose name says nothing, where things without a home end up. */
export function findVagueNames(files: readonly SourceFile[]): Fault[] {
  return files.flatMap(({ path }) => {
    const name = path.split('/').at(-1) ?? ''
    if (!/^(utils?|helpers?|common|types?|misc|shared)\./.test(name)) return []
    return [{ path, fault: `is called ${name}`, remedy: 'Name it after the one concept it holds, or spread it out.' }]
  })
}
