/** One task of a plan: who has it and for how long, what blocks it, and its proof. */
import { tellDone } from '../parts/done.tsx'
import { Agent, Fault, shortId } from '../parts/said.tsx'
import { Until } from '../parts/until.tsx'
import { useAct } from '../parts/use-act.ts'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { ProofReport, Task } from '../source/shapes/work.ts'
import { ask, can } from '../source/source.ts'

interface TaskCardProps {
  readonly task: Task
  readonly all: readonly Task[]
  readonly plan: string
  readonly proof: ProofReport | undefined
}

const priorities = ['low', 'medium', 'high', 'critical'] as const

export function TaskCard({ task, all, plan, proof }: TaskCardProps) {
  const waits = task.blocked_by.filter(id => all.find(other => other.id === id)?.status !== 'done')
  return (
    <li class={`card ${task.priority}`}>
      <p>
        <span class="category">{task.id}</span> <strong>{visible(task.title)}</strong>
      </p>
      {task.status === 'pending' && waits.length > 0 && <p class="not-held">waits for {waits.join(', ')}</p>}
      {task.owner !== undefined && (
        <p>
          <Agent name={task.owner} /> {task.lease_ends !== undefined && <Until moment={task.lease_ends} />}
        </p>
      )}
      {task.owner === undefined && task.assignee !== undefined && (
        <p>
          for <Agent name={task.assignee} />
        </p>
      )}
      {task.reason !== undefined && <p>{visible(task.reason)}</p>}
      {task.proof !== undefined && <Proof proof={task.proof} report={proof} />}
      {task.status === 'pending' && can('change_task') && <Priority task={task} plan={plan} />}
    </li>
  )
}

function Proof({
  proof,
  report,
}: {
  readonly proof: NonNullable<Task['proof']>
  readonly report: ProofReport | undefined
}) {
  return (
    <p>
      proof: {proof.kind}{' '}
      {proof.kind === 'commit' ? (
        <a href={hrefOf({ view: 'commit', ref: proof.value })}>{shortId(proof.value)}</a>
      ) : (
        visible(proof.value)
      )}
      {proof.note !== undefined && `: ${visible(proof.note)}`}{' '}
      {report !== undefined && (
        <span class={report.status === 'verified' ? 'held' : 'not-held'}>
          {report.status === 'verified' ? '✓ holds' : report.status}
          {report.detail !== undefined && `: ${visible(report.detail)}`}
        </span>
      )}
    </p>
  )
}

function Priority({ task, plan }: { readonly task: Task; readonly plan: string }) {
  const { isBusy, error, act } = useAct()
  const change = (priority: string): Promise<void> =>
    act(async () => {
      await ask('change_task', { plan, id: task.id, priority })
      tellDone(`${task.id} is now ${priority}.`, () =>
        ask('change_task', { plan, id: task.id, priority: task.priority }),
      )
    })
  return (
    <>
      <label>
        priority{' '}
        <select
          aria-label={`Priority of ${visible(task.id)}`}
          value={task.priority}
          disabled={isBusy.value}
          onChange={event => void change(event.currentTarget.value)}
        >
          {priorities.map(one => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      {error.value !== undefined && <Fault error={error.value} />}
    </>
  )
}
