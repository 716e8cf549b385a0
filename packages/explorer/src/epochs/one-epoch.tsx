/** One epoch: what is in it, how it is sealed, and how it gets to an auditor. */
import { useSignal } from '@preact/signals'
import { Copy } from '../parts/copy.tsx'
import { tellDone } from '../parts/done.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Agent, Fault, Time } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Epoch, Verdict } from '../source/shapes/store.ts'
import { ask, can, stream } from '../source/source.ts'
import { saveFile } from './save-file.ts'
import { SignedHead } from './signed-head.tsx'
import { VerdictView } from './verdict-view.tsx'
import { verifyInPage } from './verify-in-page.ts'

export function OneEpoch({ epoch }: { readonly epoch: Epoch }) {
  const { id, status, signature } = epoch
  const seal = async (summary: string): Promise<void> => {
    await ask('seal_epoch', { id, summary })
    tellDone(`Sealed ${id}. A seal cannot be undone.`)
  }
  return (
    <li class="write">
      <p class="by">
        <strong>{visible(id)}</strong> <span class={`status ${status}`}>{status}</span> {visible(epoch.description)}
      </p>
      <p>
        <a href={hrefOf({ view: 'history', ref: '*', options: { q: `epoch:"${id}"` } })}>
          {epoch.commits.toLocaleString()} commits
        </a>{' '}
        by{' '}
        {epoch.agents.map(agent => (
          <span key={agent}>
            <Agent name={agent} />{' '}
          </span>
        ))}
      </p>
      {epoch.sealed_at !== undefined && (
        <p>
          sealed <Time at={epoch.sealed_at} />: {visible(epoch.summary ?? '')}
        </p>
      )}
      {status === 'open' && can('seal_epoch') && (
        <ReasonForm about={`sealing ${id}`} decisions={[{ title: 'Seal', decide: seal }]} />
      )}
      {status !== 'open' && signature === undefined && (
        <p class="hint">It has no signature: the store had no key when it was sealed.</p>
      )}
      {signature !== undefined && <SignedHead epoch={id} text={signature} />}
      {status !== 'open' && can('export_epoch') && <Export epoch={id} />}
    </li>
  )
}

function Export({ epoch }: { readonly epoch: string }) {
  const { isBusy, error, act } = useAct()
  const lines = useSignal(0)
  const verdict = useSignal<Verdict | undefined>(undefined)
  async function* exported(): AsyncGenerator<string> {
    lines.value = 0
    verdict.value = undefined
    for await (const line of stream('export_epoch', { id: epoch })) {
      lines.value += 1
      yield line
    }
  }
  async function save(): Promise<void> {
    const parts: string[] = []
    for await (const line of exported()) parts.push(line)
    saveFile(`${epoch}.jsonl`, parts.join(''))
  }
  return (
    <div>
      <p class="links">
        <button type="button" disabled={isBusy.value} onClick={() => void act(save)}>
          Export as a file
        </button>{' '}
        <button
          type="button"
          disabled={isBusy.value}
          onClick={() =>
            void act(async () => {
              verdict.value = await verifyInPage(exported())
            })
          }
        >
          Verify
        </button>{' '}
        <Copy text={`asg bundle verify ${epoch}.jsonl`} what="the auditor's command" />
        {isBusy.value && <span role="status"> {lines.value.toLocaleString()} lines read</span>}
      </p>
      {error.value !== undefined && <Fault error={error.value} />}
      {verdict.value !== undefined && <VerdictView verdict={verdict.value} />}
    </div>
  )
}
