/** Changes the state of a thread as if a node had returned it, and lets it go on. */
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { textsIn } from '../parts/why-fields.tsx'
import type { ThreadState } from '../source/shapes/work.ts'
import { ask, can } from '../source/source.ts'

interface EditFormProps {
  readonly graph: string
  readonly state: ThreadState
  onDone(said: string): void
}

export function EditForm({ graph, state, onDone }: EditFormProps) {
  const { isBusy, error, act } = useAct()
  const { thread } = state
  const edit = (form: HTMLFormElement, isResumed: boolean): Promise<void> =>
    act(async () => {
      const { update = '{}', as } = textsIn(form)
      const value = parsed(update)
      await ask('update_thread', { graph, thread, update: value, as })
      if (isResumed) await ask('resume_thread', { graph, thread })
      onDone(isResumed ? `Changed the state of ${thread}, which went on.` : `Changed the state of ${thread}.`)
    })
  return (
    <details>
      <summary>Edit the state</summary>
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          void edit(event.currentTarget, false)
        }}
      >
        <label>
          What a node would return, as JSON <textarea name="update" rows={4} required placeholder='{"amount": 40}' />
        </label>
        <label>
          as the node <input name="as" placeholder="its edges decide what comes next; may be left empty" />
        </label>
        <p class="links">
          <button type="submit" disabled={isBusy.value}>
            Save
          </button>{' '}
          {can('resume_thread') && (
            <button
              type="button"
              disabled={isBusy.value}
              onClick={event => {
                const { form } = event.currentTarget
                if (form?.reportValidity()) void edit(form, true)
              }}
            >
              Save and resume
            </button>
          )}
        </p>
        {error.value !== undefined && <Fault error={error.value} />}
      </form>
    </details>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This is no JSON. Keys and texts need quotes around them.')
  }
}
