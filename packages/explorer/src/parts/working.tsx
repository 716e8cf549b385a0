/** Long work: how far it is, how long it has taken, and a way to stop it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { durationOf } from './until.tsx'

interface WorkingProps {
  readonly what: string
  /** The share that is done; undefined where it is not known. */
  readonly done?: number | undefined
  onStop(): void
}

export function Working({ what, done, onStop }: WorkingProps) {
  const seconds = useSignal(0)
  useEffect(() => {
    const ticking = setInterval(() => (seconds.value += 1), 1000)
    return () => clearInterval(ticking)
  }, [])
  return (
    <p role="status">
      <progress aria-label={what} value={done} /> {done !== undefined && `${Math.floor(done * 100)}%, `}
      {durationOf(seconds.value * 1000)}{' '}
      <button type="button" onClick={onStop}>
        Stop
      </button>
    </p>
  )
}
