/**
 * The trace that a commit belongs to, as a link to the place where its reader keeps traces.
 *
 * The page cannot know that place: the reader names it once, and this browser keeps it. The viewer of bundles keeps nothing.
 */
import { useSignal } from '@preact/signals'
import { Copy } from '../parts/copy.tsx'
import { visible } from '../parts/value-text.ts'
import { textsIn } from '../parts/why-fields.tsx'
import { can } from '../source/source.ts'
import { traceUrl } from './trace-url.ts'

const KEPT_AS = 'asg-traces'

export function TraceLink({ trace }: { readonly trace: string }) {
  const hasServer = can('whoami')
  const place = useSignal(hasServer ? (localStorage.getItem(KEPT_AS) ?? '') : '')
  const url = traceUrl(place.value, trace)
  return (
    <>
      <p>
        Trace{' '}
        {url === undefined ? (
          <code>{visible(trace)}</code>
        ) : (
          <a href={url} target="_blank" rel="noreferrer noopener">
            {visible(trace)}
          </a>
        )}{' '}
        <Copy text={trace} what="trace id" />
      </p>
      {hasServer && (
        <details>
          <summary>Where the traces are</summary>
          <form
            class="toolbar"
            onSubmit={event => {
              event.preventDefault()
              place.value = textsIn(event.currentTarget)['place'] ?? ''
              localStorage.setItem(KEPT_AS, place.value)
            }}
          >
            <input
              type="url"
              name="place"
              defaultValue={place.value}
              aria-label="Address of a trace"
              placeholder="https://traces.example.org/trace/{trace}"
              pattern="https?://.*\{trace\}.*"
              title="An address with {trace} where the id of the trace belongs"
            />
            <button type="submit">Keep it in this browser</button>
          </form>
        </details>
      )}
    </>
  )
}
