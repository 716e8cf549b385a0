/** Long work of the server that a person starts: one at a time, with how far it is. What only reads can be stopped. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { Answers, Fields } from '../source/answers.ts'
import { work } from '../source/source.ts'
import { type Acting, useAct } from './use-act.ts'

export interface Work extends Acting {
  /** What is under way, in words, and the share that is done where it is known. */
  readonly now: ReadonlySignal<{ readonly what: string; readonly done?: number; stop?(): void }>
  read<Name extends keyof Answers>(what: string, name: Name, fields?: Fields): Promise<Answers[Name]>
  write<Name extends keyof Answers>(what: string, name: Name, fields?: Fields): Promise<Answers[Name]>
}

export function useWork(): Work {
  const acting = useAct()
  const now = useSignal<Work['now']['value']>({ what: '' })
  const start =
    (canStop: boolean): Work['read'] =>
    (what, name, fields = {}) => {
      const leaving = new AbortController()
      const known = canStop ? { what, stop: () => leaving.abort() } : { what }
      now.value = known
      return work(name, fields, done => (now.value = { ...known, done }), leaving.signal)
    }
  return { ...acting, now, read: start(true), write: start(false) }
}
