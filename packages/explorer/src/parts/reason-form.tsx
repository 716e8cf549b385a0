/** Asks for the reason of a decision; nothing is decided without one. */
import { useRef } from 'preact/hooks'
import { Fault } from './said.tsx'
import { useAct } from './use-act.ts'
import { visible } from './value-text.ts'

interface ReasonFormProps {
  /** What the decision is about, for people who do not see the place of the form. */
  readonly about: string
  readonly decisions: readonly { readonly title: string; decide(reason: string): Promise<void> }[]
}

export function ReasonForm({ about, decisions }: ReasonFormProps) {
  const input = useRef<HTMLInputElement>(null)
  const { isBusy, error, act } = useAct()
  if (decisions.length === 0) return null
  const decide = ({ decide }: ReasonFormProps['decisions'][number]): void => {
    const reason = input.current?.value.trim() ?? ''
    if (reason === '') input.current?.reportValidity()
    else void act(() => decide(reason))
  }
  return (
    <form
      class="reason"
      onSubmit={event => {
        event.preventDefault()
        const [first] = decisions
        if (first !== undefined) decide(first)
      }}
    >
      <input
        ref={input}
        required
        maxLength={1000}
        aria-label={`Reason, for ${visible(about)}`}
        placeholder="Why, in a sentence"
      />
      {decisions.map(decision => (
        <button key={decision.title} type="button" disabled={isBusy.value} onClick={() => decide(decision)}>
          {decision.title}
        </button>
      ))}
      {error.value !== undefined && <Fault error={error.value} />}
    </form>
  )
}
