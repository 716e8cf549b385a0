/** An answer of the server for a component: asked again when what it depends on changes, and dropped when it is left. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { token } from '../source/token.ts'

export type Answer<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'here'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: Error }

/** `key` names what is asked for: another key is another question. Another `version` asks again, and shows the old answer meanwhile. */
export function useAnswer<T>(
  key: string,
  question: (signal: AbortSignal) => Promise<T>,
  version: number = 0,
): Answer<T> {
  const [state, setState] = useState<{ readonly key: string; readonly answer: Answer<T> }>({
    key,
    answer: { kind: 'waiting' },
  })
  const whole = `${token.value ?? ''} ${key}`
  // The key stands for everything that the question uses.
  const latest = useRef(question)
  latest.current = question
  useEffect(() => {
    const leaving = new AbortController()
    latest.current(leaving.signal).then(
      value => !leaving.signal.aborted && setState({ key: whole, answer: { kind: 'here', value } }),
      error => !leaving.signal.aborted && setState({ key: whole, answer: { kind: 'failed', error } }),
    )
    return () => leaving.abort()
  }, [whole, version])
  return state.key === whole ? state.answer : { kind: 'waiting' }
}
