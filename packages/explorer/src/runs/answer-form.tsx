/** A question of a thread, and a form for its answer that is made from the schema of the answer. */
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { LongText, ShortValue, WholeValue } from '../parts/value.tsx'
import { SHORT_TEXT, textOf, visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import type { Interrupt } from '../source/shapes/work.ts'
import { can } from '../source/source.ts'
import { type AnswerField, answerOf, fieldsOf } from './answer-fields.ts'

interface AnswerFormProps {
  readonly interrupt: Interrupt
  answer(value: unknown, reason: string | undefined): Promise<void>
}

export function AnswerForm({ interrupt, answer }: AnswerFormProps) {
  const { isBusy, error, act } = useAct()
  const fields = fieldsOf(interrupt.schema)
  return (
    <form
      class="panel question"
      onSubmit={event => {
        event.preventDefault()
        const texts = textsIn(event.currentTarget)
        void act(async () => answer(answerOf(fields, texts), texts['reason']))
      }}
    >
      <h3>“{visible(interrupt.node)}” waits for an answer</h3>
      <Question payload={interrupt.payload} />
      {can('resume_thread') && (
        <>
          {fields.map(field => (
            <Field key={field.name} field={field} />
          ))}
          <label>
            Reason <input name="reason" placeholder="Why you answer so; it is kept with the answer" />
          </label>
          <button type="submit" class="main" disabled={isBusy.value}>
            Answer and resume
          </button>
        </>
      )}
      {error.value !== undefined && <Fault error={error.value} />}
    </form>
  )
}

/** The entries of a map one by one, texts first: most questions are a sentence and some facts. */
function Question({ payload }: { readonly payload: unknown }) {
  if (typeof payload === 'string') return <p class="prose">{visible(payload)}</p>
  if (textOf(payload).kind !== 'map') return <WholeValue value={payload} />
  const entries = Object.entries(payload as Readonly<Record<string, unknown>>)
  const isText = ([, value]: readonly [string, unknown]): boolean => typeof value === 'string'
  return (
    <dl class="facts">
      {[...entries.filter(isText), ...entries.filter(entry => !isText(entry))].map(([key, value]) => (
        <div key={key}>
          <dt>{visible(key)}</dt>
          <dd>
            <Fact value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Fact({ value }: { readonly value: unknown }) {
  const { kind, text } = textOf(value)
  if (kind === 'map' || kind === 'list' || kind === 'bytes') return <WholeValue value={value} />
  if (kind !== 'text') return <ShortValue value={value} />
  return text.length > SHORT_TEXT ? <LongText text={text} /> : <span class="prose">{visible(text)}</span>
}

function Field({ field }: { readonly field: AnswerField }) {
  const { kind, isRequired, choices, min, max, value } = field
  const name = `answer ${field.name}`
  const title = visible(field.title)
  if (kind === 'boolean') {
    return (
      <label class="check">
        <input type="checkbox" name={name} defaultChecked={value === true} /> {title}
      </label>
    )
  }
  if (kind === 'choice') {
    return (
      <label>
        {title}{' '}
        <select name={name} required={isRequired}>
          {!isRequired && <option value="">–</option>}
          {choices.map((choice, nth) => (
            <option key={`${nth}`} value={nth} selected={choice === value}>
              {visible(typeof choice === 'string' ? choice : JSON.stringify(choice))}
            </option>
          ))}
        </select>
      </label>
    )
  }
  if (kind === 'number') {
    return (
      <label>
        {title}{' '}
        <input
          type="number"
          name={name}
          step="any"
          min={min}
          max={max}
          required={isRequired}
          defaultValue={shown(value)}
        />
      </label>
    )
  }
  return (
    <label>
      {title}
      {kind === 'json' && ', as JSON'}
      <textarea name={name} rows={kind === 'json' ? 3 : 1} required={isRequired} defaultValue={shown(value)} />
    </label>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
