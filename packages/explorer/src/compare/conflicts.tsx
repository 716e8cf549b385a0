/** Conflicts of a merge, resolved value by value: one side, what was there before, or a value of one's own. */
import { useSignal } from '@preact/signals'
import { PathLinks } from '../parts/path-links.tsx'
import { ShortValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import type { Conflict } from '../source/shapes/choices.ts'

export type Resolution = 'ours' | 'theirs' | 'base' | { readonly value: unknown }
export type Resolutions = Readonly<Record<string, Resolution>>

const sides = ['ours', 'theirs', 'base'] as const

interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly resolutions: Resolutions
  /** The names of the sides: the branch that is merged into, and what is taken in. */
  readonly names: { readonly ours: string; readonly theirs: string }
  onResolve(resolutions: Resolutions): void
}

export function Conflicts({ conflicts, resolutions, names, onResolve }: ConflictsProps) {
  const left = conflicts.filter(({ path }) => resolutions[path] === undefined).length
  return (
    <section class="conflicts">
      <p>
        Both sides changed {conflicts.length === 1 ? 'one value' : `${conflicts.length} values`}. Choose one for each
        {left === 0 ? '.' : `; ${left} left.`}
      </p>
      {conflicts.map(conflict => (
        <OneConflict
          key={conflict.path}
          conflict={conflict}
          names={names}
          chosen={resolutions[conflict.path]}
          onChoose={resolution => onResolve({ ...resolutions, [conflict.path]: resolution })}
        />
      ))}
    </section>
  )
}

interface OneProps {
  readonly conflict: Conflict
  readonly names: ConflictsProps['names']
  readonly chosen: Resolution | undefined
  onChoose(resolution: Resolution): void
}

function OneConflict({ conflict, names, chosen, onChoose }: OneProps) {
  const fault = useSignal<string | undefined>(undefined)
  const titles = { ours: names.ours, theirs: names.theirs, base: 'before both' }
  function chooseOwn(text: string): void {
    try {
      onChoose({ value: JSON.parse(text) })
      fault.value = undefined
    } catch {
      fault.value = 'This is no JSON: a text needs quotes around it.'
    }
  }
  return (
    <fieldset>
      <legend>
        <PathLinks path={conflict.path} at={names.ours} />
      </legend>
      {sides.map(side => (
        <label key={side} class="side">
          <input
            type="radio"
            name={`side ${conflict.path}`}
            checked={chosen === side}
            onChange={() => onChoose(side)}
          />{' '}
          <span class="side-name">{visible(titles[side])}</span>{' '}
          {Object.hasOwn(conflict, side) ? <ShortValue value={conflict[side]} /> : <span class="empty">nothing</span>}
        </label>
      ))}
      <label class="side">
        <input
          type="radio"
          name={`side ${conflict.path}`}
          checked={typeof chosen === 'object'}
          onChange={event => chooseOwn(ownOf(event.currentTarget)?.value || 'null')}
        />{' '}
        <span class="side-name">another</span>{' '}
        <input
          class="own"
          aria-label={`Another value for ${visible(conflict.path)}, as JSON`}
          placeholder="a value, as JSON"
          onChange={event => chooseOwn(event.currentTarget.value)}
        />
      </label>
      {fault.value !== undefined && <p class="fault">{fault.value}</p>}
    </fieldset>
  )
}

function ownOf(radio: HTMLInputElement): HTMLInputElement | null {
  return radio.closest('label')?.querySelector<HTMLInputElement>('.own') ?? null
}
