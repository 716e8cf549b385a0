/** A value, short in a row or whole in a panel. */
import { useState } from 'preact/hooks'
import { findImage, shortened, textOf, visible } from './value-text.ts'

export function ShortValue({ value }: { readonly value: unknown }) {
  const { kind, text } = textOf(value)
  return <span class={`value kind-${kind}`}>{shortened(visible(kind === 'text' ? JSON.stringify(text) : text))}</span>
}

const WHOLE_TEXT = 20_000

export function WholeValue({ value }: { readonly value: unknown }) {
  const [isAll, showAll] = useState(false)
  const image = findImage(value)
  const { kind, text } = textOf(value)
  const whole = kind === 'map' || kind === 'list' ? JSON.stringify(value, null, 2) : text
  const isCut = whole.length > WHOLE_TEXT && !isAll
  return (
    <div class="whole-value">
      {image !== undefined && <img src={image} alt={text} />}
      <pre class={`kind-${kind}`}>{visible(isCut ? whole.slice(0, WHOLE_TEXT) : whole)}</pre>
      {isCut && (
        <button type="button" onClick={() => showAll(true)}>
          Show all {whole.length.toLocaleString()} characters
        </button>
      )}
    </div>
  )
}
