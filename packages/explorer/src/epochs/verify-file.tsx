/** Verifies a bundle from a file in this page, with the keys and the earlier head that its reader trusts. It is sent nowhere. */
import { useSignal } from '@preact/signals'
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { Working } from '../parts/working.tsx'
import type { Verdict } from '../source/shapes/store.ts'
import { bundleLines } from './bundle-lines.ts'
import { VerdictView } from './verdict-view.tsx'
import { verifyInPage } from './verify-in-page.ts'

export function VerifyFile() {
  const { isBusy, error, act } = useAct()
  const verdict = useSignal<Verdict | undefined>(undefined)
  const done = useSignal(0)
  const asked = useSignal<AbortController | undefined>(undefined)
  const verify = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      verdict.value = undefined
      const data = new FormData(form)
      const file = data.get('bundle')
      const keys = String(data.get('keys'))
        .split(/\s+/)
        .filter(key => key !== '')
      const prior = String(data.get('prior')).trim()
      if (!(file instanceof File)) return
      const leaving = new AbortController()
      asked.value = leaving
      const lines = bundleLines(file, {
        signal: leaving.signal,
        onProgress: bytes => (done.value = file.size === 0 ? 1 : bytes / file.size),
      })
      verdict.value = await verifyInPage(lines, { keys, ...(prior === '' ? {} : { prior: `${prior}\n` }) })
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
        Verify
      </button>
      {isBusy.value && <Working what="Verifying" done={done.value} onStop={() => asked.value?.abort()} />}
      {error.value !== undefined && error.value.name !== 'AbortError' && <Fault error={error.value} />}
      {verdict.value !== undefined && <VerdictView verdict={verdict.value} />}
    </form>
  )
}
