/** Runs of graphs: the threads of each with their status, beside the one that is chosen. */
import { tellDone } from '../parts/done.tsx'
import { Listing } from '../parts/more.tsx'
import { Answered, Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import { go, hrefOf, type Route } from '../route.ts'
import { nextChange, useChanges } from '../source/changes.ts'
import { ask, can } from '../source/source.ts'
import { GraphPicture } from './graph-picture.tsx'
import { ThreadView } from './thread-view.tsx'

export function RunsView({ route }: { readonly route: Route }) {
  const answer = useAnswer('graphs', signal => ask('list_graphs', {}, signal))
  return (
    <section class="runs">
      <Answered
        answer={answer}
        show={({ graphs }) =>
          graphs.length === 0 ? <NoGraphs /> : <Graphs graphs={graphs} graph={route.ref || graphs[0]!} route={route} />
        }
      />
    </section>
  )
}

interface GraphsProps {
  readonly graphs: readonly string[]
  readonly graph: string
  readonly route: Route
}

function Graphs({ graphs, graph, route }: GraphsProps) {
  const changes = useChanges()
  const thread = route.options['thread'] ?? ''
  return (
    <>
      <nav class="chips" aria-label="Graphs">
        {graphs.map(name => (
          <a key={name} href={hrefOf({ view: 'runs', ref: name })} aria-current={name === graph ? 'page' : undefined}>
            {visible(name)}
          </a>
        ))}
      </nav>
      <div class="columns threads fit">
        <div>
          <h2>Threads</h2>
          <Listing
            key={graph}
            name={`threads ${graph}`}
            version={changes}
            load={(page, signal) => ask('list_threads', { graph, ...page }, signal)}
            show={threads => (
              <ul class="found">
                {threads.map(({ id, status }) => (
                  <li key={id}>
                    <a
                      href={hrefOf({ view: 'runs', ref: graph, options: { thread: id } })}
                      aria-current={id === thread ? 'true' : undefined}
                    >
                      {visible(id)}
                    </a>{' '}
                    <span class={`status ${status}`}>{status}</span>
                  </li>
                ))}
              </ul>
            )}
            empty={<p class="empty">No thread of this graph was run yet.</p>}
          />
          {can('run_thread') && <NewRun graph={graph} />}
        </div>
        <div>
          {thread === '' ? (
            <>
              <p class="hint">The graph {visible(graph)}. Choose a thread to see where it is and what it did.</p>
              <GraphPicture graph={graph} />
            </>
          ) : (
            <ThreadView key={`${graph} ${thread}`} graph={graph} thread={thread} version={changes} />
          )}
        </div>
      </div>
    </>
  )
}

function NewRun({ graph }: { readonly graph: string }) {
  const { isBusy, error, act } = useAct()
  const run = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const { thread = '', input = '{}' } = textsIn(form)
      const value = JSON.parse(input)
      const run = ask('run_thread', { graph, thread, input: value })
      // Its first commit makes the thread, which can be followed from then on.
      await Promise.race([run, nextChange()])
      go({ view: 'runs', ref: graph, options: { thread } })
      await run
      const forget = (): Promise<unknown> => {
        go({ view: 'runs', ref: graph })
        return ask('delete_thread', { graph, thread })
      }
      tellDone(`Ran ${thread}.`, can('delete_thread') ? forget : undefined)
    })
  return (
    <details>
      <summary>New run</summary>
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          void run(event.currentTarget)
        }}
      >
        <label>
          Thread <input name="thread" required />
        </label>
        <label>
          Input, as JSON <textarea name="input" rows={3} required />
        </label>
        <button type="submit" disabled={isBusy.value}>
          Run
        </button>
        {error.value !== undefined && <Fault error={error.value} />}
      </form>
    </details>
  )
}

function NoGraphs() {
  return (
    <div class="empty">
      <p>This server has no graphs. Give it the module that exports yours, and their threads appear here:</p>
      <pre>{`export const graphs = { refund: repo => refund.compile({ repo, name: 'refund' }) }\n\nasg serve --app ./app.js`}</pre>
    </div>
  )
}
