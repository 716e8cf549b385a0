/**
 * What makes a test true only sometimes: chance that cannot be repeated, time, and what one file leaves to the next.
 *
 * It looks at one file at a time. Most test files share a process with others, so a helper module is loaded once for many.
 */
import { type Fault, type SourceFile, withoutComments } from './source-file.ts'

interface Habit {
  readonly pattern: RegExp
  readonly fault: string
  readonly remedy: string
}

const unsteady: readonly Habit[] = [
  {
    pattern: /\bMath\s*\.\s*random\b|\bgetRandomValues\b|\brandomUUID\b|\brandomBytes\b/,
    fault: 'throws dice that cannot be thrown again',
    remedy: 'Take numbers from fast-check or from seeded(): both follow ASG_SEED.',
  },
  {
    pattern: /\bseed:\s*-?\d(?!\d*,\s*path:)/,
    fault: 'gives a law a seed of its own',
    remedy: 'Leave it out: ASG_SEED is the seed of every law.',
  },
  {
    pattern: /\b(Date|performance)\s*\.\s*now\s*\(/,
    fault: 'reads a clock',
    remedy: 'Hand in a clock; what is about speed belongs into bench/.',
  },
  {
    // `locator.waitFor()` of a browser waits for the event itself.
    pattern:
      /await setTimeout\(|\bsetTimeout\(\s*(resolve|done)\b|(?<![.\w])waitFor\(|\bvi\.wait(For|Until)\(|\bexpect\s*\.\s*poll\(/,
    fault: 'waits for a time to pass',
    remedy: 'Wait for the event itself.',
  },
  {
    pattern: /\btestTimeout\b|\bhookTimeout\b|\{ timeout: |^\s*\}, [\d_]+\)$/m,
    fault: 'has a timeout of its own',
    remedy: 'vitest.config.ts has one that ends a test that hangs; a shorter one fails on a loaded machine.',
  },
]

const shared: readonly Habit[] = [
  {
    pattern:
      /\bprocess\.chdir\(|\bprocess\.env\[[^\]]+\] = |\bObject\.assign\(globalThis|\bvi\.(do)?(mock|stub|useFake|spyOn)/,
    fault: 'changes what belongs to the whole process',
    remedy: 'Do without, or add the file to those that vitest.config.ts isolates.',
  },
]

const helpers: readonly Habit[] = [
  {
    pattern: /^(before|after)(All|Each)\(/m,
    fault: 'has a hook of the first file that imports it only',
    remedy: 'Call onTestFinished in a function of the helper, or put the hook into the test file.',
  },
]

/** Finds tests, and helpers of tests, that may fail for another reason than a defect. */
export function findUnsteadyTests(files: readonly SourceFile[], isolated: (path: string) => boolean): Fault[] {
  return files.flatMap(({ path, text }) => {
    const code = withoutComments(text)
    const isTestFile = /\.test\.m?[jt]s$/.test(path)
    const habits = [...unsteady, ...(isTestFile ? [] : helpers), ...(isolated(path) ? [] : shared)]
    return habits.flatMap(({ pattern, fault, remedy }) => (pattern.test(code) ? [{ path, fault, remedy }] : []))
  })
}
