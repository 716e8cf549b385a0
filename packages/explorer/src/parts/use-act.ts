/** Something that a person does: one at a time, with its progress and its fault. */
import { type Signal, useSignal } from '@preact/signals'

export interface Acting {
  readonly isBusy: Signal<boolean>
  readonly error: Signal<Error | undefined>
  act(work: () => Promise<void>): Promise<void>
}

export function useAct(): Acting {
  const isBusy = useSignal(false)
  const error = useSignal<Error | undefined>(undefined)
  async function act(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    error.value = undefined
    try {
      await work()
    } catch (caught) {
      error.value = caught as Error
    }
    isBusy.value = false
  }
  return { isBusy, error, act }
}
