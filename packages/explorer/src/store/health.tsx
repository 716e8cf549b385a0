/** Whether the store is whole: every byte is read again, or only what came since the last look. */
import { useSignal } from '@preact/signals'
import { tellDone } from '../parts/done.tsx'
import { useWork } from '../parts/use-work.ts'
import { visible } from '../parts/value-text.ts'
import { WorkShown } from '../parts/working.tsx'
import type { StoreReport } from '../source/shapes/store.ts'
import { can } from '../source/source.ts'

export function Health() {
  const work = useWork()
  const { isBusy, act } = work
  const report = useSignal<StoreReport | undefined>(undefined)
  const verify = (after: string | undefined): Promise<void> =>
    act(async () => {
      report.value = undefined
      report.value = await work.read('Reading the store', 'verify', { after })
    })
  const reindex = (): Promise<void> =>
    act(async () => {
      await work.write('Building the indexes', 'reindex')
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
      <WorkShown work={work} />
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
