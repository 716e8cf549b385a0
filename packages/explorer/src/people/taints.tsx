/** Paths that are suspect: what holds there, why, and how it ends. */
import { tellDone } from '../parts/done.tsx'
import { Listing } from '../parts/more.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Agent, Fault, Time } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import type { Taint } from '../source/shapes/access.ts'
import { ask, can } from '../source/source.ts'

const effects: Readonly<Record<Taint['effect'], string>> = {
  block: 'no change is allowed',
  review: 'a change needs an approval',
  isolate: 'only those who may release it change or read it',
  warn: 'a change carries a warning',
}

export function Taints({ version }: { readonly version: number }) {
  return (
    <>
      {can('taint') && <Mark />}
      <Listing
        name="taints"
        version={version}
        load={(page, signal) => ask('list_taints', { ...page }, signal)}
        show={taints => (
          <ul class="writes">
            {taints.map(taint => (
              <OneTaint key={taint.id} taint={taint} />
            ))}
          </ul>
        )}
        empty={<p class="empty">Nothing is suspect. Mark a path above when what is written there cannot be trusted.</p>}
      />
    </>
  )
}

function OneTaint({ taint }: { readonly taint: Taint }) {
  const { id, path, effect, reason, severity, quarantine, branches, expires } = taint
  const asItWas = { path, effect, reason, severity, quarantine, branches, expires }
  const release = async (why: string): Promise<void> => {
    await ask('release_taint', { id, reason: why })
    tellDone(`Released ${path}.`, () => ask('taint', asItWas))
  }
  return (
    <li class="write">
      <p class="by">
        <span class="path">{visible(path)}</span> {effects[effect]}
        {taint.quarantine && ', and its values are hidden'}{' '}
        {taint.severity !== undefined && <span class="category">{taint.severity}</span>}
      </p>
      <p>
        <Agent name={taint.by} /> <Time at={taint.timestamp} />: {visible(reason)}
      </p>
      {can('release_taint') && <ReasonForm about={path} decisions={[{ title: 'Release', decide: release }]} />}
    </li>
  )
}

function Mark() {
  const { isBusy, error, act } = useAct()
  const mark = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const { path, effect, reason, quarantine } = textsIn(form)
      const marked = await ask('taint', { path, effect, reason, ...(quarantine === 'on' ? { quarantine: true } : {}) })
      form.reset()
      tellDone(`Marked ${marked.path}.`, () => ask('release_taint', { id: marked.id, reason: 'Undone' }))
    })
  return (
    <form
      class="toolbar"
      onSubmit={event => {
        event.preventDefault()
        void mark(event.currentTarget)
      }}
    >
      <label>
        Suspect path <input name="path" required placeholder="/path" />
      </label>
      <select name="effect" aria-label="What holds there">
        {Object.entries(effects).map(([effect, title]) => (
          <option key={effect} value={effect}>
            {title}
          </option>
        ))}
      </select>
      <label>
        <input type="checkbox" name="quarantine" /> hide the values
      </label>
      <label>
        because <input name="reason" required placeholder="Why, in a sentence" />
      </label>
      <button type="submit" disabled={isBusy.value}>
        Mark
      </button>
      {error.value !== undefined && <Fault error={error.value} />}
    </form>
  )
}
