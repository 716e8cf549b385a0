/** What happens in a run while it runs: nodes, attempts, errors, and the tokens of models as they stream. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { visible } from '../parts/value-text.ts'
import type { ThreadEvent } from '../source/shapes/work.ts'
import { stream } from '../source/source.ts'

interface LiveProps {
  readonly graph: string
  readonly thread: string
  /** Called when a node has ended, paused or failed. */
  onStep(): void
}

/** Longer texts show their end. */
const MOST_TEXT = 20_000

export function Live({ graph, thread, onStep }: LiveProps) {
  const text = useSignal('')
  const told = useSignal('')
  useEffect(() => {
    const leaving = new AbortController()
    const follow = async (): Promise<void> => {
      for await (const event of stream('watch_thread', { graph, thread }, leaving.signal)) {
        if (event.kind === 'messages') text.value = (text.value + chunkText(event.chunk)).slice(-MOST_TEXT)
        if (event.kind !== 'tasks') continue
        told.value = inWords(event)
        if (event.phase === 'start' && event.attempt === 1) text.value = ''
        if (event.phase !== 'start') onStep()
      }
    }
    // Without the stream the thread is still looked at from time to time.
    follow().catch(() => undefined)
    return () => leaving.abort()
  }, [graph, thread])
  if (told.value === '' && text.value === '') return null
  return (
    <section class="live-run" aria-label="What it does">
      <p role="status">{told.value}</p>
      {text.value !== '' && <pre>{visible(text.value)}</pre>}
    </section>
  )
}

/** Models stream texts, or objects that hold one. */
function chunkText(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk
  const { content, text } = (chunk ?? {}) as { readonly content?: unknown; readonly text?: unknown }
  const found = content ?? text
  return typeof found === 'string' ? found : JSON.stringify(chunk)
}

const phases = { start: 'runs', retry: 'tries again', end: 'is done', fail: 'failed', pause: 'waits' } as const

function inWords({ node = '', phase = 'start', attempt = 1, error }: ThreadEvent): string {
  const nth = attempt > 1 ? `, attempt ${attempt}` : ''
  return visible(`${node} ${phases[phase]}${nth}${error === undefined ? '' : `: ${error.message}`}`)
}
