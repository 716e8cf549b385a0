/** A value, short in a row or whole in a panel. */
import { useState } from 'preact/hooks'
import { Time } from './said.tsx'
import { findImage, shortened, textOf, type ValueKind, visible } from './value-text.ts'

export function ShortValue({ value }: { readonly value: unknown }) {
  const { kind, text } = textOf(value)
  const isMoment = kind === 'date' && !Number.isNaN(Date.parse(text))
  return (
    <span class={`value ${classOf(kind)}`}>
      {isMoment ? <Time at={text} /> : shortened(visible(kind === 'text' ? JSON.stringify(text) : text))}
      <KindLabel kind={kind} />
    </span>
  )
}

export function WholeValue({ value }: { readonly value: unknown }) {
  const image = findImage(value)
  const { kind, text } = textOf(value)
  const isContainer = kind === 'map' || kind === 'list'
  return (
    <div class="whole-value">
      {image !== undefined && <img src={image} alt={text} />}
      {kind === 'date' ? (
        <ShortValue value={value} />
      ) : (
        <>
          <LongText kind={kind} text={isContainer ? JSON.stringify(value, null, 2) : text} />
          <KindLabel kind={kind} />
        </>
      )}
    </div>
  )
}

/** Kinds that their text does not tell apart from others. */
const labelled: readonly ValueKind[] = ['date', 'big number']

function KindLabel({ kind }: { readonly kind: ValueKind }) {
  return labelled.includes(kind) && <span class="kind-label">{kind}</span>
}

function classOf(kind: string): string {
  return `kind-${kind.replace(' ', '-')}`
}

const MOST_LINES = 60
const MOST_CHARACTERS = 6000

/** A text whose end is shown when it is asked for. */
export function LongText({ text, kind = 'text' }: { readonly text: string; readonly kind?: string }) {
  const [isAll, showAll] = useState(false)
  const shown = isAll ? text : beginningOf(text)
  return (
    <>
      <pre class={classOf(kind)}>{visible(shown)}</pre>
      {shown.length < text.length && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </>
  )
}

function beginningOf(text: string): string {
  const start = text.slice(0, MOST_CHARACTERS)
  let end = -1
  for (let line = 0; line < MOST_LINES; line++) {
    end = start.indexOf('\n', end + 1)
    if (end < 0) return start
  }
  return start.slice(0, end)
}
