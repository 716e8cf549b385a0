/**
 * A history with every kind of answer in it, and what a query should find there, found the plain way.
 *
 * Everything follows from a commit's number, so the expectation needs no store.
 */
import type { CommitFilter, Repository } from '../../../src/repository/index.ts'

export interface Sample {
  readonly n: number
  readonly agent: string
  readonly category: string
  readonly tags: readonly string[]
  readonly description: string
  readonly reasoning: string | undefined
  readonly confidence: number | undefined
  readonly intent: { readonly id: string; readonly parent?: string }
  readonly path: string
  readonly time: number
}

const EPOCH = Date.parse('2026-01-01T00:00:00.000Z')

/** The moment of the nth commit. */
export function momentOf(n: number): Date {
  return new Date(EPOCH + n * 1000)
}

const AGENTS = ['agent/a', 'agent/b', 'agent/c']
const CATEGORIES = ['Refine', 'Fix', 'Explore', 'custom kind']
const TAGS = [[], ['scaling'], ['scaling', 'auto'], ['éà 日本']]
const WORDS = ['Traffic rose', 'the disk filled', 'cache WARM-up done', 'nothing']

/** The nth commit. Its numbers are coprime, so that every pair of properties occurs. */
export function sample(n: number): Sample {
  const group = n % 7
  return {
    n,
    agent: AGENTS[n % 3]!,
    category: CATEGORIES[n % 4]!,
    tags: TAGS[Math.floor(n / 5) % 4]!,
    description: `Step ${n}: ${WORDS[Math.floor(n / 11) % 4]}`,
    // One of them is too long for a commit's text.
    reasoning: n % 2 === 0 ? undefined : n % 13 === 0 ? `${'long '.repeat(300)} needle` : `because ${WORDS[n % 4]}`,
    confidence: n % 9 === 0 ? undefined : ((n * 37) % 1001) / 1000,
    intent: group === 0 ? { id: 'top' } : { id: `g${group}`, parent: group < 4 ? 'top' : `g${group - 3}` },
    path: `/area${n % 6}/k${Math.floor(n / 3) % 10}/v`,
    time: momentOf(n).getTime(),
  }
}

/** Commits the samples of a range, both ends included, and resolves the intents of groups 2 and 3. */
export async function commitSamples(repo: Repository, from: number, to: number, clock: { now: Date }): Promise<void> {
  for (let n = from; n <= to; n++) {
    const { agent, category, tags, description, reasoning, confidence, intent, path } = sample(n)
    clock.now = momentOf(n)
    await repo.as(agent).set(path, n, { description, category, tags, reasoning, confidence, intent })
  }
}

/** Intents that are resolved with deviations. */
export const DEVIATED: readonly string[] = ['g2', 'g6']

export function isExpected(filter: CommitFilter, one: Sample): boolean {
  const { agent, category, tags, confidence, since, until, path, exact, intent, deviated, text } = filter
  const words = (from: string): string[] => from.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const said = words(`${one.description} ${one.reasoning ?? ''}`)
  return [
    agent === undefined || [agent].flat().includes(one.agent),
    category === undefined || [category].flat().includes(one.category),
    tags === undefined ||
      ('any' in tags ? tags.any.some(tag => one.tags.includes(tag)) : tags.every(tag => one.tags.includes(tag))),
    confidence?.min === undefined || (one.confidence ?? -1) >= confidence.min,
    confidence?.max === undefined || (one.confidence ?? 2) <= confidence.max,
    since === undefined || one.time >= new Date(since).getTime(),
    until === undefined || one.time <= new Date(until).getTime(),
    path === undefined || (exact === true ? one.path === path : PATHS[String(path)]!(one.path)),
    intent === undefined || intentsAbove(one.intent.id).includes(intent),
    deviated === undefined || DEVIATED.includes(one.intent.id) === deviated,
    text === undefined || (/[\p{L}\p{N}]/u.test(text) && words(text).every(word => word === '' || said.includes(word))),
  ].every(Boolean)
}

function intentsAbove(id: string): string[] {
  const group = Number(id.slice(1))
  if (id === 'top') return ['top']
  return group < 4 ? [id, 'top'] : [id, ...intentsAbove(`g${group - 3}`)]
}

/** Patterns and what they match among the paths of samples. */
export const PATHS: Readonly<Record<string, (path: string) => boolean>> = {
  '/**': () => true,
  '/': () => true,
  '/area1': path => path.startsWith('/area1/'),
  '/area1/k2': path => path.startsWith('/area1/k2/'),
  '/area1/k': () => false,
  '/area1/**': path => path.startsWith('/area1/'),
  '/area1/k2/v': path => path === '/area1/k2/v',
  '/*/k3/*': path => path.includes('/k3/'),
  '/area2/*/v': path => path.startsWith('/area2/'),
  '/elsewhere/**': () => false,
}

/** Filters of every kind, alone. */
export const ALONE: readonly CommitFilter[] = [
  {},
  ...AGENTS.map(agent => ({ agent })),
  { agent: ['agent/a', 'agent/c'] },
  { agent: [] },
  { agent: 'nobody' },
  ...CATEGORIES.map(category => ({ category })),
  { category: ['Fix', 'custom kind'] },
  { tags: ['scaling'] },
  { tags: ['auto', 'scaling'] },
  { tags: [] },
  { tags: { any: ['auto', 'éà 日本'] } },
  { tags: { any: [] } },
  { text: 'traffic' },
  { text: 'the DISK, filled!' },
  { text: 'needle' },
  { text: '...' },
  { text: 'absent' },
  { confidence: { min: 0.7 } },
  { confidence: { max: 0.123 } },
  { confidence: { min: 0.25, max: 0.251 } },
  { confidence: { min: 1 } },
  { confidence: { min: 0.6, max: 0.5 } },
  { since: momentOf(300) },
  { until: momentOf(20).toISOString() },
  { since: momentOf(100), until: momentOf(290) },
  ...Object.keys(PATHS).map(path => ({ path })),
  { intent: 'top' },
  { intent: 'g1' },
  { intent: 'g6' },
  { intent: 'none' },
  { deviated: true },
  { deviated: false },
]
