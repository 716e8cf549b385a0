/** A commit on a page of its own, which can be shared. */
import type { Route } from '../route.ts'
import { TimeSlider } from '../time/time-slider.tsx'
import { CommitView } from './commit-view.tsx'

export function CommitPage({ route }: { readonly route: Route }) {
  return (
    <section class="commit-page">
      <TimeSlider route={route} />
      <CommitView key={route.ref} id={route.ref} />
    </section>
  )
}
