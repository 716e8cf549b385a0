/** The table of bypasses around runs: the right is asked before others are stopped, before code runs, and for each event. */
import { describe, expect, it } from 'vitest'
import { access } from '../../src/access/index.ts'
import { END, START, StateGraph } from '../../src/graph/index.ts'
import { agent, Versioned } from '../../src/memory/index.ts'
import type { Repository } from '../../src/repository/index.ts'
import { newFile } from '../store/support/sqlite-file.ts'
import { newScene, other, type Scene } from './support/bypass.ts'
import { codeOf } from './support/people.ts'

interface Waiting {
  /** Resolves when the node has begun. */
  readonly begun: Promise<void>
  /** Lets it end. */
  end(): void
  graph(repo: Repository): ReturnType<typeof compiled>
}

function compiled(repo: Repository, begin: () => void, ended: Promise<void>) {
  return new StateGraph({ state: { team: 0 } })
    .addNode('wait', async (_, { emit, signal }) => {
      begin()
      const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      await Promise.race([ended, stopped])
      emit('ready')
      return { team: 1 }
    })
    .addEdge(START, 'wait')
    .addEdge('wait', END)
    .compile({ repo, name: 'wait' })
}

function waiting(): Waiting {
  let [begin, end] = [() => {}, () => {}]
  const begun = new Promise<void>(resolve => {
    begin = resolve
  })
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { begun, end, graph: repo => compiled(repo, begin, ended) }
}

/** What somebody who only reads does while a thread of the operator runs, and what becomes of the run. */
async function whileRunning(
  { repo, mallory }: Scene,
  attempt: (thread: ReturnType<ReturnType<typeof compiled>['thread']>) => unknown,
): Promise<readonly unknown[]> {
  const { graph, begun, end } = waiting()
  const run = graph(repo).thread('t').run({})
  await begun
  const code = await codeOf(() => attempt(graph(mallory).thread('t')))
  end()
  return [code, (await run).status]
}

describe.each([
  ['in memory', () => undefined],
  ['in a file', newFile],
])('around runs, %s', (_, store) => {
  it('a run of somebody else is not stopped by deleting its thread without the right', async () => {
    await using scene = await newScene(store())
    expect(await whileRunning(scene, thread => thread.delete())).toEqual(['access-denied', 'done'])
  })

  it('nor joined, which would let it be cancelled', async () => {
    await using scene = await newScene(store())
    const joined = whileRunning(scene, thread => {
      const run = thread.resume()
      run.cancel('Try')
      return run
    })
    expect(await joined).toEqual(['access-denied', 'done'])
  })

  it.each([
    ['the grant', ({ repo }: Scene, grant: string) => access(repo).revoke(grant, 'It is over')],
    ['the freedom of the principal', ({ repo }: Scene) => access(repo).freeze({ principal: 'agent/eve' }, 'Stop')],
  ])('the events of a run are not told once %s is over', async (_, ends) => {
    await using scene = await newScene(store())
    const eve = await other(scene, 'agent/eve')
    const { id } = await access(scene.repo).grant('agent/eve', { capabilities: ['read'] })
    const { graph, begun, end } = waiting()
    const run = graph(scene.repo).thread('t').run({})
    await begun
    const told: unknown[] = []
    const following = codeOf(async () => {
      for await (const { kind } of graph(eve)
        .thread('t')
        .events({ events: ['custom', 'updates'] }))
        told.push(kind)
    })
    await graph(eve).thread('t').state()
    await ends(scene, id)
    end()
    await run
    expect([await following, told]).toEqual([expect.stringMatching(/^(access-denied|principal-frozen)$/), []])
  })

  it('the code of a task is not run for somebody who may not keep what it does', async () => {
    await using scene = await newScene(store())
    let ran = 0
    const helper = agent('mallory', { state: { team: 0 } })
    const count = helper.task('count', () => void ran++)
    const task = (branch: string) => async (): Promise<void> => {
      await using memory = await Versioned.open(scene.mallory.on(branch))
      await count(undefined, { state: memory })
    }
    expect([await codeOf(task('release')), ran]).toEqual(['access-denied', 0])
  })
})
