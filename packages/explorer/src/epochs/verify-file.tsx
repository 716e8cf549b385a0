/** Verifies a bundle from a file, with the keys and the earlier head that its reader trusts. */
import { useSignal } from '@preact/signals'
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Verdict } from '../source/shapes/store.ts'
import { ask } from '../source/source.ts'
import { VerdictView } from './verdict-view.tsx'

export function VerifyFile() {
  const { isBusy, error, act } = useAct()
  const verdict = useSignal<Verdict | undefined>(undefined)
  const verify = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      verdict.value = undefined
      const data = new FormData(form)
      const file = data.get('bundle')
      const keys = String(data.get('keys'))
        .split(/\s+/)
        .filter(key => key !== '')
      const prior = String(data.get('prior')).trim()
      const bundle = file instanceof File ? await file.text() : ''
      verdict.value = await ask('verify_bundle', { bundle, keys, ...(prior === '' ? {} : { prior: `${prior}\n` }) })
    })
  return (
    <form
      class="panel"
      onSubmit={event => {
        event.preventDefault()
        void verify(event.currentTarget)
      }}
    >
      <label>
        An exported bundle <input type="file" name="bundle" required />
      </label>
      <label>
        Public keys that you trust <textarea name="keys" rows={2} placeholder="name+hash+base64, one in a line" />
      </label>
      <label>
        A signed head that you kept{' '}
        <textarea name="prior" rows={2} placeholder="to see that nothing was rewritten since" />
      </label>
      <button type="submit" class="main" disabled={isBusy.value}>
        {isBusy.value ? 'Verifying…' : 'Verify'}
      </button>
      {error.value !== undefined && <Fault error={error.value} />}
      {verdict.value !== undefined && <VerdictView verdict={verdict.value} />}
    </form>
  )
}
