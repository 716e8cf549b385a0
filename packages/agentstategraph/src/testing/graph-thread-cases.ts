/** What threads promise: states that outlive runs, interrupts, effects that happen once, time travel. */
import { START, StateGraph } from '../graph/index.ts'
import { check, checkEqual, checkRefuses } from './check.ts'
import { type GraphCase, graphCase, type Keeping, lastingCase, repositoryCase } from './graph-case.ts'

const state = { n: 0, log: [] as string[] }
const reducers = { n: 'sum', log: 'append' } as const

function counter(keeping: Keeping) {
  return new StateGraph({ state, reducers })
    .addNode('count', () => ({ n: 1, log: ['count'] }))
    .addNode('note', s => ({ log: [`at ${s.n}`] }))
    .addEdge(START, 'count')
    .addEdge('count', 'note')
    .compile({ ...keeping, name: 'counter' })
}

/** Two nodes that interrupt and one that does not, in parallel; every effect is recorded. */
function asking(keeping: Keeping, ran: string[]) {
  return new StateGraph({ state, reducers })
    .addNodes({
      left: async (_s, { once, interrupt }) => {
        await once('mail', () => void ran.push('mail'))
        return { log: [`left ${await interrupt('left?')}`, `and ${await interrupt('sure?')}`] }
      },
      plain: () => {
        ran.push('plain')
        return { log: ['plain'] }
      },
      right: async (_s, { interrupt }) => ({ log: [`right ${await interrupt('right?')}`] }),
      end: s => ({ n: s.log.length }),
    })
    .addEdge(START, 'left')
    .addEdge(START, 'plain')
    .addEdge(START, 'right')
    .addEdge(['left', 'plain', 'right'], 'end')
    .compile({ ...keeping, name: 'asking' })
}

/** The pending interrupts of a thread, by their payload. */
async function questionsOf(thread: ReturnType<ReturnType<typeof asking>['thread']>): Promise<Map<unknown, string>> {
  const now = await thread.state()
  check(now.status === 'paused', `the thread is ${now.status}, not paused`)
  return new Map(now.interrupts.map(({ payload, id }) => [payload, id]))
}

async function answerAll(thread: ReturnType<ReturnType<typeof asking>['thread']>): Promise<void> {
  const first = await questionsOf(thread)
  checkEqual([...first.keys()], ['left?', 'right?'], 'the first questions')
  await checkRefuses(() => thread.resume({ value: 'x' }), 'answer-ambiguous', 'a bare answer to two questions')
  await thread.resume({ id: first.get('right?')!, value: false })
  await thread.resume({ value: 0 })
  const second = await questionsOf(thread)
  checkEqual([...second.keys()], ['sure?'], 'the last question')
  const end = await thread.resume({ value: '' })
  checkEqual(end.state, { n: 4, log: ['left 0', 'and ', 'plain', 'right false'] }, 'the state at the end')
}

export const graphThreadCases: readonly GraphCase[] = [
  graphCase('a thread goes on where it was, and others know nothing of it', async keeping => {
    const app = counter(keeping)
    await app.thread('a').run({})
    await app.thread('b').run({ n: 5 })
    const again = await app.thread('a').run({ log: ['more'] })
    checkEqual([again.status, again.state], ['done', { n: 2, log: ['count', 'at 1', 'more', 'count', 'at 2'] }], 'a')
    checkEqual((await app.thread('b').state()).state.n, 6, 'b')
    checkEqual(
      (await app.threads()).map(({ id }) => id),
      ['a', 'b'],
      'the threads',
    )
  }),

  graphCase('history has every step, and a fork from one goes on from there alone', async keeping => {
    const thread = counter(keeping).thread('a')
    await thread.run({})
    const history = await thread.history()
    checkEqual(
      history.map(step => step.state.log),
      [['count', 'at 1'], ['count'], []],
      'the states, newest first',
    )
    const fork = await thread.fork('b', { from: history[1]!.commit })
    await fork.update({ n: 10 })
    checkEqual((await fork.resume()).state, { n: 11, log: ['count', 'at 11'] }, 'the fork')
    checkEqual((await thread.state()).state, { n: 1, log: ['count', 'at 1'] }, 'the thread it came from')
    await thread.delete()
    await checkRefuses(() => thread.state(), 'thread-not-found', 'a deleted thread')
    checkEqual((await fork.state()).status, 'done', 'the fork of a deleted thread')
  }),

  graphCase('questions are values; answers may be false, 0 or empty; nothing runs twice', async keeping => {
    const ran: string[] = []
    const thread = asking(keeping, ran).thread('a')
    checkEqual((await thread.run({})).status, 'paused', 'the status after the run')
    await answerAll(thread)
    checkEqual(ran.sort(), ['mail', 'plain'], 'what ran')
  }),

  graphCase('an answer is checked before the run goes on', async keeping => {
    const isBoolean = {
      '~standard': {
        version: 1 as const,
        vendor: 'conformance',
        validate: (value: unknown) =>
          typeof value === 'boolean' ? { value } : { issues: [{ message: 'has to be true or false' }] },
      },
    }
    const thread = new StateGraph({ state: { ok: false } })
      .addNode('ask', async (_s, { interrupt }) => ({ ok: await interrupt('ok?', isBoolean) }))
      .compile(keeping)
      .thread('a')
    await thread.run({})
    await checkRefuses(() => thread.resume({ value: 'yes' }), 'answer-invalid', 'an answer of the wrong kind')
    checkEqual((await thread.state()).status, 'paused', 'the status after a wrong answer')
    checkEqual((await thread.resume({ value: true })).state, { ok: true }, 'the state after a right one')
  }),

  graphCase('a pause before or after a node is passed by going on', async keeping => {
    const thread = new StateGraph({ state, reducers })
      .addNode('a', () => ({ log: ['a'] }))
      .addNode('b', () => ({ log: ['b'] }))
      .addEdge(START, 'a')
      .addEdge('a', 'b')
      .compile({ ...keeping, interruptBefore: ['a'], interruptAfter: ['b'] })
      .thread('t')
    checkEqual((await thread.run({})).status, 'paused', 'before a')
    const after = await thread.resume()
    checkEqual(after.status, 'paused', 'after b')
    const end = await thread.resume()
    checkEqual([end.status, end.state.log], ['done', ['a', 'b']], 'the end')
  }),

  graphCase('a pause after a node shows its result and what follows, and a change made there holds', async keeping => {
    const ran: string[] = []
    const thread = new StateGraph({ state: { draft: '', sent: '' } })
      .addNode('write', () => {
        ran.push('write')
        return { draft: 'by the node' }
      })
      .addNode('send', s => ({ sent: s.draft }))
      .addEdge(START, 'write')
      .addEdge('write', 'send')
      .compile({ ...keeping, interruptAfter: ['write', 'send'] })
      .thread('t')
    const review = await thread.run({})
    check(review.status === 'paused', `the thread is ${review.status}, not paused`)
    checkEqual([review.state.draft, review.next], ['by the node', ['send']], 'the result and what follows')
    checkEqual((await thread.update({ draft: 'by hand' })).status, 'paused', 'the status after the change')
    const last = await thread.resume()
    check(last.status === 'paused', `the thread is ${last.status}, not paused at the end`)
    checkEqual([last.state, last.next], [{ draft: 'by hand', sent: 'by hand' }, []], 'the end, before it is passed')
    await thread.update({ sent: 'later' })
    const end = await thread.resume()
    checkEqual([end.status, end.state.sent, ran], ['done', 'later', ['write']], 'the end, and what ran')
  }),

  graphCase('a failure is kept beside what its siblings did, and only the failed task runs again', async keeping => {
    const ran: string[] = []
    let isBroken = true
    const thread = new StateGraph({ state, reducers })
      .addNodes({
        bad: () => {
          ran.push('bad')
          if (isBroken) throw new RangeError('broken')
          return { log: ['mended'] }
        },
        good: async () => {
          await Promise.resolve()
          ran.push('good')
          return { log: ['good'] }
        },
      })
      .addEdge(START, 'bad')
      .addEdge(START, 'good')
      .compile(keeping)
      .thread('t')
    const failed = await thread.run({})
    check(failed.status === 'failed', `the thread is ${failed.status}, not failed`)
    checkEqual([failed.node, failed.error.message], ['bad', 'broken'], 'the failure')
    isBroken = false
    checkEqual((await thread.resume()).state.log, ['mended', 'good'], 'the state at the end')
    checkEqual(ran, ['bad', 'good', 'bad'], 'what ran')
  }),

  graphCase('a stopped thread shows what has finished, and an update can stand for what waits', async keeping => {
    const ran: string[] = []
    const thread = asking(keeping, ran).thread('t')
    const paused = await thread.run({})
    check(paused.status === 'paused', `the thread is ${paused.status}, not paused`)
    checkEqual([paused.state.log, paused.next], [['plain'], ['left', 'right']], 'what has finished, and what waits')
    const changed = await thread.update({ log: ['by hand'] })
    checkEqual(changed.state.log, ['plain', 'by hand'], 'the log after a change')
    const stood = await thread.update({ log: ['left by hand'] }, { as: 'left' })
    check(stood.status === 'paused', `the thread is ${stood.status}, not paused`)
    checkEqual([stood.state.log, stood.next], [['left by hand', 'plain', 'by hand'], ['right']], 'one waits no more')
    const end = await thread.resume({ value: 1 })
    checkEqual(end.state.log, ['left by hand', 'plain', 'by hand', 'right 1'], 'the log at the end')
    checkEqual(ran.sort(), ['mail', 'plain'], 'what ran')
  }),

  graphCase('why a run failed stays in the history after new input', async keeping => {
    class Refused extends Error {
      readonly status = 429
    }
    let isBroken = true
    const thread = new StateGraph({ state, reducers })
      .addNode('call', () => {
        if (isBroken) throw new Refused('too many')
        return { log: ['called'] }
      })
      .compile(keeping)
      .thread('t')
    await thread.run({})
    isBroken = false
    await thread.run({ log: ['again'] })
    const failed = (await thread.history()).find(({ status }) => status === 'failed')
    check(failed?.status === 'failed', 'no entry of the history has failed')
    const { name, message, status } = failed.error as Refused
    checkEqual([failed.node, name, message, status], ['call', 'Refused', 'too many', 429], 'the failure')
  }),

  graphCase('of two runs on one thread one is refused, waits, or is merged: nothing is lost', async keeping => {
    const app = counter(keeping)
    const thread = app.thread('a')
    const [one, two] = await Promise.allSettled([thread.run({}), thread.run({})])
    checkEqual([one.status, two.status].sort(), ['fulfilled', 'rejected'], 'two runs that do not wait')
    await Promise.all([thread.run({}, { whenBusy: 'queue' }), thread.run({}, { whenBusy: 'queue' })])
    checkEqual((await thread.state()).state.n, 3, 'the count after two that waited')
    await Promise.all([thread.run({}), thread.run({}, { whenBusy: 'merge' })])
    checkEqual((await thread.state()).state.n, 5, 'the count after one that was merged')
  }),

  graphCase('the loop over a run sees every update in order, and leaving it stops the run', async keeping => {
    const nodes: string[] = []
    for await (const event of counter(keeping).thread('a').run({})) nodes.push(event.node)
    checkEqual(nodes, ['count', 'note'], 'the nodes whose updates were told')
    let isSlow = true
    const thread = new StateGraph({ state, reducers })
      .addNode('first', () => ({ log: ['first'] }))
      .addNode('second', async (_s, { signal }) => {
        if (isSlow) await new Promise(resolve => signal.addEventListener('abort', resolve))
        return { log: ['second'] }
      })
      .addEdge('first', 'second')
      .compile({ ...keeping, name: 'slow' })
      .thread('b')
    for await (const _ of thread.run({})) break
    const now = await thread.state()
    checkEqual([now.status, now.state.log], ['idle', ['first']], 'the thread that was left')
    isSlow = false
    checkEqual((await thread.resume()).state.log, ['first', 'second'], 'the same, gone on')
  }),

  repositoryCase('every step is a commit, and blame names node and attempt', async repo => {
    const thread = counter({ repo }).thread('a')
    await thread.run({})
    const branch = repo.on(thread.branchName)
    const words = (await branch.log()).map(({ intent }) => intent.description)
    checkEqual(words, ['note', 'count', 'Input'], 'the log, newest first')
    const { draft } = await branch.blame('/log/1')
    checkEqual([draft?.node, draft?.attempt], ['note', 1], 'who wrote the last line')
  }),

  lastingCase('another process goes on where one stopped, and repeats nothing', async visit => {
    const ran: string[] = []
    await visit(async repo => void (await asking({ repo }, ran).thread('a').run({})))
    await visit(repo => answerAll(asking({ repo }, ran).thread('a')))
    checkEqual(ran.sort(), ['mail', 'plain'], 'what ran')
    const end = await visit(repo => asking({ repo }, ran).thread('a').state())
    checkEqual([end.status, end.state.n], ['done', 4], 'the thread, read again')
  }),

  lastingCase('what one process has cached another one finds', async visit => {
    const ran: number[] = []
    const runIn = (n: number) =>
      visit(repo =>
        new StateGraph({ state: { question: '', answer: '' } })
          .addNode(
            'answer',
            s => {
              ran.push(n)
              return { answer: `about ${s.question}` }
            },
            { cache: {} },
          )
          .compile({ repo, name: 'cached' })
          .run({ question: 'x' }),
      )
    checkEqual((await runIn(1)).answer, 'about x', 'the first answer')
    checkEqual((await runIn(2)).answer, 'about x', 'the second answer')
    checkEqual(ran, [1], 'who ran the node')
  }),
]
