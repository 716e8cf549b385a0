/** Which old states are kept, what garbage collection would free, and its run. */
import { useSignal } from '@preact/signals'
import { tellDone } from '../parts/done.tsx'
import { Fault } from '../parts/said.tsx'
import { durationOf } from '../parts/until.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWork } from '../parts/use-work.ts'
import { visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import { WorkShown } from '../parts/working.tsx'
import type { Collected, Stats } from '../source/shapes/store.ts'
import { ask, can } from '../source/source.ts'
import { bytesText } from './bytes-text.ts'

const DAY_MS = 86_400_000

type Keep = NonNullable<NonNullable<Stats['retention']>['keep']>

export function Retention({ stats }: { readonly stats: Stats }) {
  const work = useWork()
  const { isBusy, act } = work
  const found = useSignal<Collected | undefined>(undefined)
  const look = (): Promise<void> =>
    act(async () => {
      found.value = await work.read('Looking for states that nothing needs', 'gc_dry_run')
    })
  const sweep = (): Promise<void> =>
    act(async () => {
      const { freed_bytes } = await work.write('Freeing them', 'gc_sweep')
      found.value = undefined
      tellDone(`Freed ${bytesText(freed_bytes)}. What was dropped cannot be brought back; commits and blame stay.`)
    })
  const shrink = (): Promise<void> =>
    act(async () => {
      const { bytes_before, bytes_after } = await work.write('Packing the file', 'compact')
      tellDone(`The store took ${bytesText(bytes_before)} of the disk, and takes ${bytesText(bytes_after)} now.`)
    })
  return (
    <>
      <p>{rulesOf(stats)}</p>
      {can('set_retention') && <Rules key={JSON.stringify(stats.retention?.keep)} keep={stats.retention?.keep} />}
      <p class="links">
        <button type="button" disabled={isBusy.value} onClick={() => void look()}>
          What could be freed?
        </button>{' '}
        {can('compact') && (
          <button type="button" disabled={isBusy.value} onClick={() => void shrink()}>
            Give unused room back to the disk
          </button>
        )}
      </p>
      {found.value !== undefined && (
        <p role="status">
          {bytesText(found.value.freed_bytes)} in {(found.value.removed + found.value.trimmed).toLocaleString()} states
          that nothing needs; {found.value.kept.toLocaleString()} are kept.{' '}
          {can('gc_sweep') && found.value.removed + found.value.trimmed > 0 && (
            <button type="button" disabled={isBusy.value} onClick={() => void sweep()}>
              Free it for good
            </button>
          )}
        </p>
      )}
      <WorkShown work={work} />
    </>
  )
}

function rulesOf({ retention }: Stats): string {
  const { keep } = retention ?? {}
  const parts = [
    ...(keep?.newer_ms === undefined ? [] : [`states younger than ${durationOf(keep.newer_ms)}`]),
    ...(keep?.count === undefined ? [] : [`the ${keep.count} newest of each branch`]),
    ...(keep?.categories === undefined ? [] : [`those of ${visible(keep.categories.join(', '))}`]),
  ]
  const trimmed = retention?.trimmed_states ?? 0
  const dropped = trimmed === 0 ? '' : ` ${trimmed.toLocaleString()} older states were dropped.`
  return parts.length === 0
    ? 'Every state that was ever committed is kept.'
    : `Kept are ${parts.join(', ')}, and whatever branches, tags and epochs lead to.${dropped}`
}

function daysOf(keep: Keep | undefined): number | undefined {
  return keep?.newer_ms === undefined ? undefined : Math.max(1, Math.round(keep.newer_ms / DAY_MS))
}

/** The rules before are set again by undo. */
function Rules({ keep }: { readonly keep: Keep | undefined }) {
  const { isBusy, error, act } = useAct()
  const set = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const { days, count } = textsIn(form)
      const limits = {
        ...(days === undefined ? {} : { newer_ms: Number(days) * DAY_MS }),
        ...(count === undefined ? {} : { count: Number(count) }),
      }
      // What the form does not ask for stays, as long as there are rules.
      const hasRules = Object.keys(limits).length > 0
      const wanted = hasRules && keep?.categories !== undefined ? { ...limits, categories: keep.categories } : limits
      await ask('set_retention', wanted)
      tellDone('The rules are set. Nothing is dropped until garbage is collected.', () =>
        ask('set_retention', { ...(keep ?? {}) }),
      )
    })
  return (
    <form
      class="toolbar"
      onSubmit={event => {
        event.preventDefault()
        void set(event.currentTarget)
      }}
    >
      <label>
        Keep states of the last{' '}
        <input name="days" type="number" min="1" step="1" class="number" defaultValue={daysOf(keep)} /> days
      </label>
      <label>
        and the newest <input name="count" type="number" min="1" step="1" class="number" defaultValue={keep?.count} />{' '}
        of each branch
      </label>
      <button type="submit" disabled={isBusy.value}>
        Set
      </button>
      {error.value !== undefined && <Fault error={error.value} />}
    </form>
  )
}
