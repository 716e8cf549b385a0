/** The app of the story: a graph that refunds after a question, and an agent that remembers its customers. */
import { END, START, StateGraph } from 'agentstategraph/graph'
import { agent } from 'agentstategraph/memory'
import { z } from 'zod'

const answer = z.object({
  approved: z.boolean(),
  amount: z.number().max(500).describe('What is paid back'),
  channel: z.enum(['card', 'voucher']),
  note: z.string().optional(),
})

/** A test that looks at the letter while it is written sets when its end may come. */
export const letter = { mayEnd: Promise.resolve() }
const words = ['Dear ', 'customer, ', 'the money ', 'is on ', 'its way.']

const refund = new StateGraph({ state: { order: '', amount: 0, approved: false, channel: '', letter: '' } })
  .addNode(
    'check',
    async (state, { attempt }) => {
      if (state.order === 'order-13') throw new Error('The order does not exist')
      if (attempt === 1) throw new Error('The billing system did not answer')
      return { amount: state.amount }
    },
    { retry: { maxAttempts: 2, initialMs: 1 } },
  )
  .addNode('ask', async (state, { interrupt }) => {
    const { approved, amount, channel } = await interrupt(
      { question: `Refund ${state.amount} for ${state.order}?`, limit: 500 },
      answer,
    )
    return { approved, amount, channel }
  })
  .addNode('write', async (_state, { message }) => {
    for (const word of words) {
      if (word === words.at(-1)) await letter.mayEnd
      message(word)
    }
    return { letter: words.join('') }
  })
  .addEdge(START, 'check')
  .addEdge('check', 'ask')
  .addConditionalEdges('ask', state => (state.approved ? 'write' : END), ['write', END])
  .addEdge('write', END)

const greet = new StateGraph({ state: { name: '', known: false, text: '' } })
  .addNode('draft', async state => ({ text: `Dear ${state.name}` }))
  .addNode('sign', async state => ({ text: `${state.text}, yours` }))
  .addEdge(START, 'draft')
  .addEdge('draft', 'sign')
  .addEdge('sign', END)

const welcome = new StateGraph({ state: { name: '', known: false, text: '' } })
  .addNode('look', async state => ({ known: state.name === 'Ada' }))
  .addNode('greet', greet.compile())
  .addEdge(START, 'look')
  .addConditionalEdges('look', state => (state.known ? END : 'greet'), { [END]: 'known', greet: 'new' })
  .addEdge('greet', END)

const support = agent('support', { state: { customers: {}, solved: 0 } })
const help = support.task('help', ({ customer, problem }, { state, emit }) => {
  emit({ kind: 'action', thinking: `${customer} asks about ${problem}` })
  state.customers[customer] = { problem, seen: (state.customers[customer]?.seen ?? 0) + 1 }
  if (problem === 'a legal threat') throw new Error('A person has to answer this')
  state.solved += 1
  return `${problem}: solved`
})

export const app = {
  graphs: {
    refund: repo => refund.compile({ repo, name: 'refund' }),
    welcome: repo => welcome.compile({ repo, name: 'welcome' }),
  },
  agents: { support: { help } },
}
