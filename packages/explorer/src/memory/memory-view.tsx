/** The memory of agents on a branch: what each did, event by event, and what it knew then. */
import { Listing } from '../parts/more.tsx'
import { Agent, Answered, Time } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { go, hrefOf, type Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { MemoryEvent } from '../source/shapes/work.ts'
import { ask } from '../source/source.ts'
import { MemoryAt } from './memory-at.tsx'
import { saidIn } from './said-in.ts'

export function MemoryView({ route }: { readonly route: Route }) {
  const { ref, options } = route
  const { agent = '', at = '' } = options
  const changes = useChanges()
  return (
    <section class="memory">
      <form
        class="toolbar"
        onSubmit={event => {
          event.preventDefault()
          const ref = String(new FormData(event.currentTarget).get('branch'))
          go({ view: 'memory', ref, options: {} })
        }}
      >
        <label>
          Branch of the memory <input name="branch" key={ref} defaultValue={ref} />
        </label>
        <button type="submit">Show</button>
      </form>
      <Agents route={route} agent={agent} />
      <div class="columns two fit">
        <div>
          <h2>What happened</h2>
          <Listing
            key={`${ref} ${agent}`}
            name={`memory ${ref} ${agent}`}
            version={changes}
            load={(page, signal) => ask('memory_events', { ref, agent: agent || undefined, ...page }, signal)}
            show={events => <Timeline events={events} route={route} at={at} />}
            empty={<NoEvents />}
          />
        </div>
        <div>
          <MemoryAt key={`${ref} ${at}`} branch={ref} at={at} agent={agent} version={changes} />
        </div>
      </div>
    </section>
  )
}

function Agents({ route, agent }: { readonly route: Route; readonly agent: string }) {
  const answer = useAnswer('agents', signal => ask('list_agents', {}, signal))
  return (
    <Answered
      answer={answer}
      show={({ agents }) => (
        <nav class="chips" aria-label="Agents">
          {['', ...agents.map(({ name }) => name)].map(name => (
            <a
              key={name}
              href={hrefOf({ ...route, options: { agent: name } })}
              aria-current={name === agent ? 'page' : undefined}
            >
              {name === '' ? 'all agents' : visible(name)}
            </a>
          ))}
        </nav>
      )}
    />
  )
}

interface TimelineProps {
  readonly events: readonly MemoryEvent[]
  readonly route: Route
  readonly at: string
}

function Timeline({ events, route, at }: TimelineProps) {
  return (
    <ol class="timeline">
      {events.map(event => {
        const commit = commitAt(event)
        return (
          <li key={event.seq} class={`event ${event.kind}`}>
            <span class="by">
              <Time at={event.timestamp} /> <Agent name={event.agent} />
              <span class="category">{visible(event.task)}</span> <strong>{event.kind}</strong>
            </span>
            {commit !== undefined && (
              <a
                href={hrefOf({ ...route, options: { ...route.options, at: commit } })}
                aria-current={commit === at ? 'true' : undefined}
                aria-label={`memory then, at ${event.kind} ${event.seq}`}
              >
                memory then
              </a>
            )}
            <span class="said">{visible(saidIn(event))}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** A task begins with what was known before it, and what it changed is known at its end. */
function commitAt({ kind, commit_before, commit_after }: MemoryEvent): string | undefined {
  return kind === 'success' || kind === 'fail' ? (commit_after ?? commit_before) : commit_before
}

function NoEvents() {
  return (
    <div class="empty">
      <p>
        No task with a memory ran on this branch. A task of an agent writes here what it does, and its memory is a
        branch:
      </p>
      <pre>{`const support = agent('support', { state: { solved: 0 } })\nconst memory = await Versioned.open(repo, { branch: 'memory' })`}</pre>
      <p>Memories are often on a branch of their own: type its name above.</p>
    </div>
  )
}
