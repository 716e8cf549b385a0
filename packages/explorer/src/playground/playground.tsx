/** The steps of the tour with their results, beside the history that they make. The state is in memory and goes with the page. */
import { signal, useSignal } from '@preact/signals'
import { type Commit, open, type Ref, type Repository } from 'agentstategraph/browser'
import { Agent, Confidence, Fault, shortId, Time } from '../parts/said.tsx'
import { Section } from '../parts/section.tsx'
import { visible } from '../parts/value-text.ts'
import { type Step, steps } from './steps.ts'

interface Made {
  readonly commits: readonly Commit[]
  readonly branches: readonly Ref[]
}

const opened: Promise<Repository> = open()
const made = signal<Made>({ commits: [], branches: [] })

export function Playground() {
  return (
    <>
      <header>
        <h1>AgentStateGraph</h1>
        <nav aria-label="Views">
          <a href="./">Explorer</a>
          <a href="playground" aria-current="page">
            Playground
          </a>
        </nav>
      </header>
      <main class="playground">
        <div>
          <p>
            The library runs in this page. Nothing is installed, sent or kept: a reload begins anew. Run the steps from
            the first to the last, then change what they are given and run them again.
          </p>
          {steps.map((step, at) => (
            <StepForm key={step.title} step={step} number={at + 1} />
          ))}
        </div>
        <History {...made.value} />
      </main>
    </>
  )
}

function StepForm({ step, number }: { readonly step: Step; readonly number: number }) {
  const given = useSignal(JSON.stringify(step.given, null, 2))
  const result = useSignal<string | Error | undefined>(undefined)
  const isRunning = useSignal(false)
  async function run(): Promise<void> {
    isRunning.value = true
    const repo = await opened
    try {
      result.value = JSON.stringify(await step.run(repo, JSON.parse(given.value) as never), null, 2)
    } catch (error) {
      result.value = error as Error
    }
    made.value = { commits: await repo.query({}), branches: await repo.branches() }
    isRunning.value = false
  }
  const title = `${number}. ${step.title}`
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <pre>{step.code}</pre>
      <label>
        Given
        <textarea
          rows={given.value.split('\n').length}
          spellcheck={false}
          value={given.value}
          onInput={event => {
            given.value = event.currentTarget.value
          }}
        />
      </label>
      <button type="button" class="main" disabled={isRunning.value} onClick={run}>
        Run
      </button>
      {result.value instanceof Error ? (
        <Fault error={result.value} />
      ) : (
        result.value !== undefined && <output class="result">{visible(result.value)}</output>
      )}
    </section>
  )
}

function History({ commits, branches }: Made) {
  return (
    <Section title="History">
      {commits.length === 0 && <p class="empty">No commit yet: run the first step.</p>}
      <ol>
        {commits.map(({ id, agent, intent, reasoning, confidence, timestamp }) => (
          <li key={id}>
            <code>{shortId(id)}</code> <strong>{visible(intent.description)}</strong>{' '}
            {branches.filter(branch => branch.id === id).map(({ name }) => `(${visible(name)}) `)}
            <br />
            <Agent name={agent} /> <Confidence value={confidence} /> <Time at={timestamp} />
            {reasoning !== undefined && <p>because {visible(reasoning)}</p>}
          </li>
        ))}
      </ol>
    </Section>
  )
}
