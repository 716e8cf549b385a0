/** Epochs: named ranges of history that are closed, signed, exported, and verified by others. */
import { tellDone } from '../parts/done.tsx'
import { Listing } from '../parts/more.tsx'
import { Fault } from '../parts/said.tsx'
import { Section } from '../parts/section.tsx'
import { useAct } from '../parts/use-act.ts'
import { textsIn } from '../parts/why-fields.tsx'
import type { Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import { ask, can } from '../source/source.ts'
import { OneEpoch } from './one-epoch.tsx'
import { VerifyFile } from './verify-file.tsx'

export function EpochsView({ route }: { readonly route: Route }) {
  const changes = useChanges()
  return (
    <section class="epochs" data-chosen={route.ref}>
      <p class="hint">
        An epoch is a part of history with a name: an incident, a release, a quarter. Sealed, it cannot be changed, and
        is given to an auditor as one file.
      </p>
      {can('create_epoch') && <Create />}
      <Listing
        name="epochs"
        version={changes}
        load={(page, signal) => ask('list_epochs', { ...page }, signal)}
        show={epochs => (
          <ul class="writes">
            {epochs.toReversed().map(epoch => (
              <OneEpoch key={epoch.id} epoch={epoch} />
            ))}
          </ul>
        )}
        empty={
          <p class="empty">No epoch was opened. What happens from its opening until it is sealed belongs to it.</p>
        }
      />
      <Section title="Verify a file">
        <VerifyFile />
      </Section>
    </section>
  )
}

function Create() {
  const { isBusy, error, act } = useAct()
  const create = (form: HTMLFormElement): Promise<void> =>
    act(async () => {
      const { id, description } = textsIn(form)
      await ask('create_epoch', { id, description })
      form.reset()
      tellDone(`Opened ${id}. It stays until it is sealed.`)
    })
  return (
    <form
      class="toolbar"
      onSubmit={event => {
        event.preventDefault()
        void create(event.currentTarget)
      }}
    >
      <label>
        New epoch <input name="id" required placeholder="2026-q3" />
      </label>
      <label>
        about <input name="description" required placeholder="The third quarter" />
      </label>
      <button type="submit" disabled={isBusy.value}>
        Open an epoch
      </button>
      {error.value !== undefined && <Fault error={error.value} />}
    </form>
  )
}
