/** A signed head: a short text that stands for the whole history up to a seal, and who signed it. */
import { useSignal } from '@preact/signals'
import { Copy } from '../parts/copy.tsx'
import { tellDone } from '../parts/done.tsx'
import { Fault } from '../parts/said.tsx'
import { useAct } from '../parts/use-act.ts'
import { visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import { ask, can } from '../source/source.ts'

interface SignedHeadProps {
  readonly epoch: string
  readonly text: string
}

export function SignedHead({ epoch, text }: SignedHeadProps) {
  const [origin = '', size = ''] = text.split('\n')
  const signers = [...text.matchAll(/^— (\S+) /gm)].map(([, name = '']) => name)
  const [own, ...witnesses] = signers
  return (
    <details>
      <summary>
        Signed head of {visible(origin)}, {visible(size)} entries
        {own !== undefined && `, signed by ${visible(own)}`}
        {witnesses.length > 0 ? `, witnessed by ${visible(witnesses.join(', '))}` : ', no witness yet'}
      </summary>
      <pre>{visible(text)}</pre>
      <Copy text={text} what="the head" />
      <p class="hint">
        Who keeps this text can later prove that nothing before it was rewritten. A witness is somebody else who signs
        it too.
      </p>
      {can('cosign_epoch') && <Cosign epoch={epoch} />}
    </details>
  )
}

/** The way to a witness and back: a request to send, and the answer to keep. */
function Cosign({ epoch }: { readonly epoch: string }) {
  const { isBusy, error, act } = useAct()
  const request = useSignal<string | undefined>(undefined)
  const make = (): Promise<void> =>
    act(async () => {
      request.value = (await ask('witness_request', { id: epoch })).request
    })
  const cosign = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const { key } = textsIn(form)
      // A signature ends with its line feed.
      const answer = `${String(new FormData(form).get('answer')).trim()}\n`
      await ask('cosign_epoch', { id: epoch, answer, key })
      tellDone(`A witness has signed ${epoch}. A signature cannot be taken back.`)
    })
  return (
    <details>
      <summary>Add a witness</summary>
      <form
        class="panel"
        onSubmit={event => {
          event.preventDefault()
          void cosign(event.currentTarget)
        }}
      >
        <p>
          1. Send this to the witness:{' '}
          {request.value === undefined ? (
            <button type="button" disabled={isBusy.value} onClick={() => void make()}>
              Make the request
            </button>
          ) : (
            <Copy text={request.value} what="the request" />
          )}
        </p>
        {request.value !== undefined && <pre>{visible(request.value)}</pre>}
        <label>
          2. What the witness answered <textarea name="answer" rows={2} required placeholder="— name signature" />
        </label>
        <label>
          The public key of the witness <input name="key" required placeholder="name+hash+base64" />
        </label>
        <button type="submit" disabled={isBusy.value}>
          Keep the signature
        </button>
        {error.value !== undefined && <Fault error={error.value} />}
      </form>
    </details>
  )
}
