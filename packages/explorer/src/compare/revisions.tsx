/** What differs between two revisions, and a merge of one into the other. */
import { useSignal } from '@preact/signals'
import { Changes } from '../commit/changes.tsx'
import { tellDone } from '../parts/done.tsx'
import { Answered, Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { readWhy, WhyFields } from '../parts/why-fields.tsx'
import { go } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { MergePreview } from '../source/shapes/choices.ts'
import { ask, can } from '../source/source.ts'
import { Conflicts, type Resolutions } from './conflicts.tsx'

interface Sides {
  readonly from: string
  readonly to: string
}

export function Revisions({ from, to }: Sides) {
  const changes = useChanges()
  const answer = useAnswer(JSON.stringify(['diff', from, to]), signal => ask('diff', { from, to }, signal), changes)
  return (
    <>
      <h2>
        From {visible(from)} to {visible(to)}
      </h2>
      <Answered answer={answer} show={found => <Changes changes={found.changes} at={to} before={from} />} />
      {can('merge') && <Merge from={from} to={to} changes={changes} />}
    </>
  )
}

/** Only a branch can be merged into. */
function Merge({ from, to, changes }: Sides & { readonly changes: number }) {
  const answer = useAnswer(
    JSON.stringify(['merge', from, to]),
    async signal => {
      const { items } = await ask('list_branches', { prefix: from, limit: 1000 }, signal)
      if (!items.some(({ name }) => name === from)) return undefined
      return ask('preview_merge', { source: to, target: from }, signal)
    },
    changes,
  )
  if (answer.kind !== 'here' || answer.value === undefined) return null
  const preview = answer.value
  if (preview.kind === 'up-to-date')
    return (
      <p class="empty">
        {visible(from)} has everything of {visible(to)}.
      </p>
    )
  return <MergeForm source={to} target={from} preview={preview} />
}

interface MergeFormProps {
  readonly source: string
  readonly target: string
  readonly preview: MergePreview
}

function MergeForm({ source, target, preview }: MergeFormProps) {
  const { isBusy, error, act } = useAct()
  const resolutions = useSignal<Resolutions>({})
  const left = preview.conflicts.filter(({ path }) => resolutions.value[path] === undefined).length
  const merge = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const merged = await ask('merge', { source, target, ...readWhy(form), resolutions: resolutions.value })
      tellDone(`Merged ${source} into ${target}.`, merged.seq)
      go({ view: 'commit', ref: merged.id })
    })
  return (
    <form
      class="panel"
      onSubmit={event => {
        event.preventDefault()
        void merge(event.currentTarget)
      }}
    >
      <h3>
        Merge {visible(source)} into {visible(target)}
      </h3>
      {preview.conflicts.length > 0 && (
        <Conflicts
          conflicts={preview.conflicts}
          resolutions={resolutions.value}
          names={{ ours: target, theirs: source }}
          onResolve={now => (resolutions.value = now)}
        />
      )}
      <WhyFields about="Why" />
      {error.value !== undefined && <Fault error={error.value} />}
      <button type="submit" class="main" disabled={isBusy.value || left > 0}>
        Merge
      </button>
    </form>
  )
}
