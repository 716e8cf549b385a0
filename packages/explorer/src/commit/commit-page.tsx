/** A commit on a page of its own, which can be shared. */
import type { Route } from '../route.ts'
import { CommitView } from './commit-view.tsx'

export function CommitPage({ route }: { readonly route: Route }) {
  return (
    <section class="commit-page">
      <CommitView key={route.ref} id={route.ref} />
    </section>
  )
}
