/** What was just done, at the foot of the page, with a way to take it back. */
import { signal } from '@preact/signals'
import { noteChange } from '../source/changes.ts'
import { ask, can } from '../source/source.ts'
import { visible } from './value-text.ts'

interface Done {
  readonly said: string
  /** Takes it back; absent for what cannot be taken back. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

const done = signal<Done | undefined>(undefined)

/** Says what was done, and offers to undo it: the journal entry given, or in a way of its own. */
export function tellDone(said: string, undo?: number | (() => Promise<unknown>)): void {
  noteChange()
  if (typeof undo !== 'number') done.value = { said, undo }
  else done.value = { said, undo: can('undo') ? () => ask('undo', { entry: undo }) : undefined }
}

async function takeBack({ undo }: Done): Promise<void> {
  try {
    await undo?.()
    done.value = { said: 'It was taken back.' }
    noteChange()
  } catch (error) {
    done.value = { said: `It cannot be taken back: ${(error as Error).message}` }
  }
}

export function DoneBar() {
  const told = done.value
  return (
    <div class="told" role="status" hidden={told === undefined}>
      {told !== undefined && (
        <>
          <span>{visible(told.said)}</span>
          {told.undo !== undefined && (
            <button type="button" onClick={() => void takeBack(told)}>
              Undo
            </button>
          )}
          <button type="button" aria-label="Close this message" onClick={() => (done.value = undefined)}>
            ✕
          </button>
        </>
      )}
    </div>
  )
}
