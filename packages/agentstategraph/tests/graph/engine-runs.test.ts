import { describe, expect, it } from 'vitest'
import { StateError } from '../../src/core/index.ts'
import type { EngineEvent } from '../../src/graph/engine/facts/events.ts'
import { runPlan } from '../../src/graph/engine/run/engine.ts'
import type { Fact, RunLog } from '../../src/graph/model/run-protocol.ts'
import { END, Send, START } from '../../src/graph/model/targets.ts'
import { begin, engineDefaults, gate, goOn, planOf, run } from './support/engine-run.ts'
import { graphOf, logged, says } from './support/told-graph.ts'

describe('a run', () => {
  it('stops at its step limit with the state so far, and can go on', async () => {
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('a', () => ({ n: 1 }))
      .addEdge(START, 'a')
      .addConditionalEdges('a', s => (s.n < 5 ? 'a' : END))
      .compile()
    const kept = await begin(app, {})
    await expect(goOn(app, kept, { maxSteps: 3 })).rejects.toMatchObject({
      code: 'run-step-limit',
      data: { maxSteps: 3, node: 'a', state: { n: 3 } },
    })
    expect(await goOn(app, kept, { maxSteps: 3 })).toMatchObject({ status: 'done', state: { n: 5 } })
  })

  it('stops when it is aborted, keeps what had finished, and knows the effects that ran', async () => {
    const control = new AbortController()
    const effect = gate<string>()
    const reasons: unknown[] = []
    let effects = 0
    const app = logged()
      .addSaying('s done')
      .addNode('hangs', async (_, { once, signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        return {
          log: [
            await once('pay', () => {
              effects++
              return effect.promise
            }),
          ],
        }
      })
      .addEdges('START>s s>done s>hangs')
      .compile()
    const kept = await begin(app, {})
    const going = goOn(app, kept, { signal: control.signal, wait: () => new Promise(() => {}) })
    await Promise.resolve()
    control.abort(new Error('enough'))
    effect.open('paid')
    await expect(going).rejects.toMatchObject({ code: 'run-aborted', data: { reason: 'enough' } })
    expect(reasons).toMatchObject([{ code: 'run-aborted' }])
    expect(await goOn(app, kept)).toMatchObject({ state: { log: ['s', 'done', 'paid'] } })
    expect(effects).toBe(1)
  })

  it('gives up an effect that hangs when it is aborted', async () => {
    const control = new AbortController()
    const app = logged()
      .addNode('a', (_, { once }) => once('hang', () => new Promise(() => {})))
      .compile()
    const going = run(app, {}, { signal: control.signal })
    await Promise.resolve()
    control.abort()
    await expect(going).rejects.toMatchObject({ code: 'run-aborted' })
  })

  it('ends at once, without a promise, when all is synchronous', async () => {
    const app = logged().addNode('a', says('a')).addNode('b', says('b')).addEdge('a', 'b').compile()
    const kept = await begin(app, {})
    expect(runPlan(planOf(app), kept.resumePoint, kept, { ...engineDefaults, isSync: true })).toEqual({
      status: 'done',
      state: { log: ['a', 'b'] },
    })
    const slow = logged()
      .addNode('slow', async () => {})
      .compile()
    const other = await begin(slow, {})
    const outcome = runPlan(planOf(slow), other.resumePoint, other, { ...engineDefaults, isSync: true })
    expect(outcome).toMatchObject({
      status: 'failed',
      node: 'slow',
      error: { code: 'run-async', message: expect.stringContaining('slow') },
    })
  })

  it('tells what it is asked about, and nothing else', async () => {
    const seen: EngineEvent[] = []
    const app = logged()
      .addNode('a', (_, ctx) => {
        ctx.emit({ at: 'a' })
        ctx.message('chunk')
        return { log: ['a'] }
      })
      .addNode(
        'b',
        (_, { attempt }) => {
          if (attempt === 1) throw new Error('once')
          return { log: ['b'] }
        },
        { retry: { maxAttempts: 2 } },
      )
      .addEdge('a', 'b')
      .compile()
    await run(app, {}, { seen, events: ['values', 'updates', 'custom', 'messages'] })
    expect(seen).toEqual([
      { kind: 'custom', node: 'a', data: { at: 'a' } },
      { kind: 'messages', node: 'a', chunk: 'chunk' },
      { kind: 'updates', node: 'a', update: { log: ['a'] }, cached: false },
      { kind: 'values', state: { log: ['a'] } },
      { kind: 'updates', node: 'b', update: { log: ['b'] }, cached: false },
      { kind: 'values', state: { log: ['a', 'b'] } },
    ])
    seen.length = 0
    await run(app, {}, { seen, events: ['tasks'] })
    expect(seen.map(event => (event.kind === 'tasks' ? [event.node, event.phase, event.attempt] : []))).toEqual([
      ['a', 'start', 1],
      ['a', 'end', 1],
      ['b', 'start', 1],
      ['b', 'retry', 1],
      ['b', 'start', 2],
      ['b', 'end', 2],
    ])
    seen.length = 0
    await run(app, {}, { seen })
    expect(seen).toEqual([])
  })

  it('counts the progress of open groups', async () => {
    const seen: EngineEvent[] = []
    const app = graphOf({ state: { n: 0 }, reducers: { n: 'sum' } })
      .addNode('s', () => {})
      .addNode('w', () => ({ n: 1 }))
      .addEdge(START, 's')
      .addConditionalEdges('s', () => [1, 2].map(i => new Send('w', { i })))
      .compile()
    await run(app, {}, { seen, events: ['tasks'] })
    expect(seen.flatMap(event => (event.kind === 'tasks' && event.node === 'w' ? [event.progress] : []))).toEqual([
      { done: 0, total: 2 },
      { done: 1, total: 2 },
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ])
  })

  it('fails the node whose value cannot be stored, and keeps what its siblings did', async () => {
    const refuse = (): never => {
      throw new StateError('value-refused', { refused: [] }, 'refused')
    }
    const runs: string[] = []
    let value: unknown = () => {}
    const app = logged()
      .addNode('s', says('s'))
      .addNode('a', () => ({ log: [value] }))
      .addNode('b', () => {
        runs.push('b')
        return { log: ['b'] }
      })
      .addEdges('START>s s>a s>b')
      .compile()
    const kept = await begin(app, {})
    const hasFunction = (facts: readonly Fact[]) =>
      facts.some(
        fact =>
          fact.kind === 'task' &&
          fact.updates.some(update => (update as { log: unknown[] }).log.some(line => typeof line === 'function')),
      )
    const runLog: RunLog = {
      keep: facts => (hasFunction(facts) ? refuse() : kept.keep(facts)),
      step: step => (hasFunction(step.tasks.map(task => ({ kind: 'task', ...task }))) ? refuse() : kept.step(step)),
    }
    const outcome = await runPlan(planOf(app), kept.resumePoint, runLog, engineDefaults)
    expect(outcome).toMatchObject({ status: 'failed', node: 'a', error: { code: 'value-refused' } })
    value = 'text'
    expect(await runPlan(planOf(app), kept.resumePoint, runLog, engineDefaults)).toMatchObject({
      status: 'done',
      state: { log: ['s', 'text', 'b'] },
    })
    expect(runs).toEqual(['b'])
  })

  it('rejects with the error of a keeper that fails, and stops its nodes', async () => {
    const aborted: unknown[] = []
    const app = logged()
      .addNode('s', says('s'))
      .addNode('a', (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason))
        return new Promise(() => {})
      })
      .addNode('b', async () => ({ log: ['b'] }))
      .addEdges('START>s s>a s>b')
      .compile()
    const kept = await begin(app, {})
    kept.dies = { at: 1, isKept: false }
    await expect(goOn(app, kept)).rejects.toThrow('the process is gone')
    expect(aborted).toHaveLength(1)
  })
})
