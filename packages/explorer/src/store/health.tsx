/** Whether the store is whole: every byte is read again, or only what came since the last look. */
import { useSignal } from '@preact/signals'
import { tellDone } from '../parts/done.tsx'
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { visible } from '../parts/value-text.ts'
import { Working } from '../parts/working.tsx'
import type { StoreReport } from '../source/shapes/store.ts'
import { ask, can, work } from '../source/source.ts'

export function Health() {
  const { isBusy, error, act } = useAct()
  const report = useSignal<StoreReport | undefined>(undefined)
  const done = useSignal<number | undefined>(undefined)
  const asked = useSignal<AbortController | undefined>(undefined)
  const verify = (after: string | undefined): Promise<void> =>
    act(async () => {
      const leaving = new AbortController()
      asked.value = leaving
      report.value = undefined
      done.value = undefined
      report.value = await work('verify', { after }, share => (done.value = share), leaving.signal)
    })
  const reindex = (): Promise<void> =>
    act(async () => {
      await ask('reindex', {})
      tellDone('The indexes were built again from the journal; answers are the same as before.')
    })
  const point = report.value?.point
  return (
    <>
      <p class="links">
        <button type="button" disabled={isBusy.value} onClick={() => void verify(undefined)}>
          Verify the whole store
        </button>{' '}
        {point !== undefined && (
          <button type="button" disabled={isBusy.value} onClick={() => void verify(point)}>
            Verify what came since
          </button>
        )}{' '}
        {can('reindex') && (
          <button type="button" disabled={isBusy.value} onClick={() => void reindex()}>
            Build the indexes again
          </button>
        )}
      </p>
      {isBusy.value && <Working what="Reading the store" done={done.value} onStop={() => asked.value?.abort()} />}
      {error.value !== undefined && error.value.name !== 'AbortError' && <Fault error={error.value} />}
      {report.value !== undefined && <Report report={report.value} />}
    </>
  )
}

function Report({ report: { ok, checked, damage } }: { readonly report: StoreReport }) {
  return (
    <div role="status">
      <p class={ok ? 'held' : 'not-held'}>
        {ok ? 'Whole' : 'Damaged'}: {checked.toLocaleString()} entries were checked.
      </p>
      <ul>
        {damage.map(({ where, what }) => (
          <li key={`${where} ${what}`}>
            {visible(where)}: {visible(what)}
          </li>
        ))}
      </ul>
    </div>
  )
}
