/** The steps of the tour: each is a few calls of the library with values that can be edited. No text that is typed runs as code. */
import type { Repository } from 'agentstategraph/browser'

interface Reason {
  readonly description: string
  readonly reasoning?: string
  readonly confidence?: number
}

interface Write {
  readonly agent: string
  readonly path: string
  readonly value: unknown
  readonly why: Reason
}

export interface Step {
  readonly title: string
  /** The calls, as a program would write them. */
  readonly code: string
  /** What the calls are given, to begin with. */
  readonly given: unknown
  /** `given` is what was typed: the library refuses what it cannot take. */
  run(repo: Repository, given: never): Promise<unknown>
}

export const steps: readonly Step[] = [
  {
    title: 'Set a value and say why',
    code: 'repo.as(agent).set(path, value, why)',
    given: {
      agent: 'agent/scaler',
      path: '/cluster/replicas',
      value: 3,
      why: { description: 'Scale to 3 replicas', reasoning: 'Traffic is up 40 % over the last hour', confidence: 0.85 },
    },
    async run(repo, { agent, path, value, why }: Write) {
      const { id } = await repo.as(agent).set(path, value, why)
      return { commit: id, state: await repo.get('/') }
    },
  },
  {
    title: 'Try it on a branch',
    code: 'const branch = await repo.branch(name)\nawait branch.as(agent).set(path, value, why)\nawait repo.diff("main", name)',
    given: {
      name: 'flannel',
      agent: 'agent/net',
      path: '/cluster/network',
      value: 'flannel',
      why: { description: 'Move to flannel', reasoning: 'Lower overhead' },
    },
    async run(repo, { name, agent, path, value, why }: Write & { readonly name: string }) {
      const branch = await repo.branch(name)
      await branch.as(agent).set(path, value, why)
      return repo.diff('main', name)
    },
  },
  {
    title: 'Speculate, compare and keep one',
    code: [
      'const nfs = await repo.as(agent).speculate({ label: "nfs" }) // and ceph',
      'await nfs.set(path, "nfs")',
      'await repo.compare([nfs, ceph])',
      'await nfs.commit({ ...why, alternatives: [ceph] })',
    ].join('\n'),
    given: {
      agent: 'agent/storage',
      path: '/storage/type',
      ways: { nfs: 'nfs', ceph: 'ceph' },
      choose: 'nfs',
      why: { description: 'Use NFS', reasoning: 'Only 2 nodes, Ceph needs 3', confidence: 0.9 },
    },
    run: speculate,
  },
  {
    title: 'Ask who wrote a value, and why',
    code: 'repo.blame(path)',
    given: { path: '/storage/type' },
    async run(repo, { path }: { readonly path: string }) {
      const { value, agent, intent, reasoning, confidence, alternatives } = await repo.blame(path)
      const considered = alternatives.map(({ label }) => label)
      return { value, agent, intent: intent.description, reasoning, confidence, considered }
    },
  },
  {
    title: 'Take the last change back',
    code: 'repo.as(agent).undo()',
    given: { agent: 'agent/storage' },
    async run(repo, { agent }: { readonly agent: string }) {
      const { commit, changes } = await repo.as(agent).undo()
      return { undone: commit?.intent.description, changes }
    },
  },
]

interface Ways {
  readonly agent: string
  readonly path: string
  readonly ways: Readonly<Record<string, unknown>>
  readonly choose: string
  readonly why: Reason
}

async function speculate(repo: Repository, { agent, path, ways, choose, why }: Ways): Promise<unknown> {
  const writer = repo.as(agent)
  const open = await Promise.all(Object.keys(ways).map(label => writer.speculate({ label })))
  try {
    for (const one of open) await one.set(path, ways[one.label ?? ''])
    const { rows } = await writer.compare(open)
    const chosen = open.find(({ label }) => label === choose)
    if (chosen === undefined) throw new Error(`"choose" has to be one of ${Object.keys(ways).join(', ')}`)
    const { id } = await chosen.commit({ ...why, alternatives: open.filter(one => one !== chosen) })
    return { compared: rows.map(({ path: at, values }) => ({ path: at, values })), commit: id }
  } finally {
    for (const one of open) await one[Symbol.asyncDispose]()
  }
}
