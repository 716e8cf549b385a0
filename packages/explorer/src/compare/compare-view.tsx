/** Two revisions beside each other, or speculations, which are other futures of a branch. */
import { useRef } from 'preact/hooks'
import { Answered } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { go, type Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { Speculation } from '../source/shapes/choices.ts'
import { ask, can } from '../source/source.ts'
import { Revisions } from './revisions.tsx'
import { Speculations } from './speculations.tsx'

export function CompareView({ route }: { readonly route: Route }) {
  const { ref, options } = route
  const ids = (options['speculations'] ?? '').split(',').filter(id => id !== '')
  const other = options['with'] ?? ''
  return (
    <section class="compare">
      <ChooseRevisions from={ref} to={other} />
      {ids.length > 0 ? (
        <Speculations key={ids.join()} ids={ids} />
      ) : ref !== '' && other !== '' ? (
        <Revisions key={`${ref} ${other}`} from={ref} to={other} />
      ) : (
        can('list_specs') && <ChooseSpeculations />
      )}
    </section>
  )
}

function ChooseRevisions({ from, to }: { readonly from: string; readonly to: string }) {
  const left = useRef<HTMLInputElement>(null)
  const right = useRef<HTMLInputElement>(null)
  const names = useAnswer('names', signal => ask('list_branches', { limit: 1000 }, signal))
  return (
    <form
      class="toolbar"
      onSubmit={event => {
        event.preventDefault()
        const ref = left.current?.value.trim() || 'main'
        go({ view: 'compare', ref, options: { with: right.current?.value.trim() ?? '' } })
      }}
    >
      <label>
        From <input ref={left} key={from} defaultValue={from || 'main'} list="branches" />
      </label>
      <label>
        to{' '}
        <input ref={right} key={to} defaultValue={to} list="branches" required placeholder="a branch, tag or commit" />
      </label>
      <datalist id="branches">
        {names.kind === 'here' && names.value.items.map(({ name }) => <option key={name} value={name} />)}
      </datalist>
      <button type="submit">Compare</button>
    </form>
  )
}

function ChooseSpeculations() {
  const changes = useChanges()
  const answer = useAnswer('speculations', signal => ask('list_specs', { limit: 100 }, signal), changes)
  return <Answered answer={answer} show={({ items }) => <Open speculations={items} />} />
}

function Open({ speculations }: { readonly speculations: readonly Speculation[] }) {
  if (speculations.length === 0) {
    return (
      <div class="empty">
        <p>No speculation is open. An agent tries several ways at once, and nothing is seen until one is committed:</p>
        <pre>asg spec new --label approach-a</pre>
      </div>
    )
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const ids = new FormData(event.currentTarget).getAll('speculation')
        go({ view: 'compare', ref: '', options: { speculations: ids.join(',') } })
      }}
    >
      <h2>Open speculations</h2>
      <p class="hint">Ways that were tried beside a branch, of which none is chosen yet.</p>
      <ul class="choices">
        {speculations.map(({ id, label, branch }) => (
          <li key={id}>
            <label>
              <input type="checkbox" name="speculation" value={id} defaultChecked /> {visible(label ?? id)}{' '}
              <span class="category">from {visible(branch)}</span>
            </label>
          </li>
        ))}
      </ul>
      <button type="submit">Put them side by side</button>
    </form>
  )
}
