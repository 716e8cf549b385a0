/** Long work: how far it is, how long it has taken, a way to stop it, and what it failed with. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Fault } from './said.tsx'
import { durationOf } from './until.tsx'
import type { Work } from './use-work.ts'

interface WorkingProps {
  readonly what: string
  /** The share that is done; undefined where it is not known. */
  readonly done?: number | undefined
  /** Absent for what is not stopped in the middle. */
  readonly onStop?: (() => void) | undefined
}

export function Working({ what, done, onStop }: WorkingProps) {
  const seconds = useSignal(0)
  useEffect(() => {
    const ticking = setInterval(() => (seconds.value += 1), 1000)
    return () => clearInterval(ticking)
  }, [])
  return (
    <p role="status">
      {what} <progress aria-label={what} value={done} /> {done !== undefined && `${Math.floor(done * 100)}%, `}
      {durationOf(seconds.value * 1000)}{' '}
      {onStop !== undefined && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
    </p>
  )
}

export function WorkShown({ work: { isBusy, error, now } }: { readonly work: Work }) {
  const { what, done, stop } = now.value
  return (
    <>
      {isBusy.value && <Working what={what} done={done} onStop={stop} />}
      {error.value !== undefined && error.value.name !== 'AbortError' && <Fault error={error.value} />}
    </>
  )
}
