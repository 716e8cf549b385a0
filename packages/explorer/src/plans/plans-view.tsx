/** Plans: a board by status, with leases that count down, what blocks what, and proofs. */

import { useSignal } from '@preact/signals'
import { Listing } from '../parts/more.tsx'
import { Answered, Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { hrefOf, type Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { Plan, ProofReport, Task } from '../source/shapes/work.ts'
import { ask } from '../source/source.ts'
import { Blockers } from './blockers.tsx'
import { TaskCard } from './task-card.tsx'

export function PlansView({ route }: { readonly route: Route }) {
  const changes = useChanges()
  return (
    <section class="plans">
      <Listing
        name="plans"
        version={changes}
        load={(page, signal) => ask('list_plans', { ...page }, signal)}
        show={plans => <Chosen plans={plans} route={route} changes={changes} />}
        empty={<NoPlans />}
      />
    </section>
  )
}

interface ChosenProps {
  readonly plans: readonly Plan[]
  readonly route: Route
  readonly changes: number
}

function Chosen({ plans, route, changes }: ChosenProps) {
  const plan = plans.find(({ name }) => name === route.ref) ?? (route.ref === '' ? plans[0] : undefined)
  return (
    <>
      <nav class="chips" aria-label="Plans">
        {plans.map(({ name, status }) => (
          <a
            key={name}
            href={hrefOf({ view: 'plans', ref: name })}
            aria-current={name === plan?.name ? 'page' : undefined}
          >
            {visible(name)} <span class="category">{status}</span>
          </a>
        ))}
      </nav>
      {plan === undefined ? (
        <p class="empty">There is no plan “{visible(route.ref)}”.</p>
      ) : (
        <>
          {plan.description !== undefined && <p class="prose">{visible(plan.description)}</p>}
          <Board key={plan.name} plan={plan.name} changes={changes} />
        </>
      )}
    </>
  )
}

const columns = [
  ['pending', 'To do'],
  ['in-progress', 'In progress'],
  ['done', 'Done'],
  ['abandoned', 'Abandoned'],
] as const

function Board({ plan, changes }: { readonly plan: string; readonly changes: number }) {
  const answer = useAnswer(`tasks ${plan}`, signal => ask('list_tasks', { plan, limit: 1000 }, signal), changes)
  const proofs = useSignal<ReadonlyMap<string, ProofReport>>(new Map())
  const { isBusy, error, act } = useAct()
  const check = (): Promise<void> =>
    act(async () => {
      const { reports } = await ask('verify_plan', { plan })
      proofs.value = new Map(reports.map(report => [report.id, report]))
    })
  return (
    <Answered
      answer={answer}
      show={({ items }) => (
        <>
          <p>
            <button type="button" disabled={isBusy.value} onClick={() => void check()}>
              Check the proofs
            </button>
          </p>
          {error.value !== undefined && <Fault error={error.value} />}
          <div class="board">
            {columns.map(([status, title]) => (
              <Column
                key={status}
                title={title}
                tasks={items.filter(task => task.status === status)}
                all={items}
                plan={plan}
                proofs={proofs.value}
              />
            ))}
          </div>
          <Blockers tasks={items} />
        </>
      )}
    />
  )
}

interface ColumnProps {
  readonly title: string
  readonly tasks: readonly Task[]
  readonly all: readonly Task[]
  readonly plan: string
  readonly proofs: ReadonlyMap<string, ProofReport>
}

function Column({ title, tasks, all, plan, proofs }: ColumnProps) {
  return (
    <section class="column" aria-label={title}>
      <h3>
        {title} <span class="size">{tasks.length}</span>
      </h3>
      <ul class="cards">
        {tasks.map(task => (
          <TaskCard key={task.id} task={task} all={all} plan={plan} proof={proofs.get(task.id)} />
        ))}
      </ul>
    </section>
  )
}

function NoPlans() {
  return (
    <div class="empty">
      <p>There is no plan yet. A plan is a list of tasks that agents claim, one at a time, and finish with a proof:</p>
      <pre>{`asg plan create launch "Ship version 2"\nasg task add launch "Freeze the schema" --priority high`}</pre>
    </div>
  )
}
