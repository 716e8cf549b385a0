/** LangGraph's own PostgresSaver, saving the state after each step as its engine does: the state is one channel. */
import { isDeepStrictEqual } from 'node:util'
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'

/** Opens a saver in a schema of its own, with a state that `change(state, index)` changes in place. */
export async function openPostgresSaver(address, schema, state, change) {
  const saver = PostgresSaver.fromConnString(address, { schema })
  await saver.setup()
  let config = { configurable: { thread_id: 'bench', checkpoint_ns: '' } }
  let steps = 0
  return {
    async run(from, count) {
      for (let index = from; index < from + count; index++) {
        change(state, index)
        const versions = { state: steps + 1 }
        const checkpoint = {
          ...emptyCheckpoint(),
          id: uuid6(steps),
          channel_values: { state },
          channel_versions: versions,
        }
        config = await saver.put(config, checkpoint, { source: 'loop', step: steps, parents: {} }, versions)
        steps++
      }
    },
    async verify() {
      const newest = await saver.getTuple(config)
      if (!isDeepStrictEqual(newest?.checkpoint.channel_values.state, state))
        throw new Error('The saver lost the state.')
    },
    close: () => saver.end(),
  }
}
