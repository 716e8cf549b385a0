/** People and agents: who may do what and from whom, what waits for a decision, what was refused, and how right each was. */
import { hrefOf, type Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import { Calibrations } from './calibrations.tsx'
import { Principals } from './principals.tsx'
import { Proposals } from './proposals.tsx'
import { Refused } from './refused.tsx'
import { Sessions } from './sessions.tsx'
import { Taints } from './taints.tsx'

const parts = {
  proposals: ['Proposals', Proposals],
  grants: ['Principals and grants', Principals],
  sessions: ['Sessions', Sessions],
  taints: ['Taints', Taints],
  refusals: ['Refusals', Refused],
  calibration: ['Calibration', Calibrations],
} as const

export function PeopleView({ route }: { readonly route: Route }) {
  const changes = useChanges()
  const name = Object.hasOwn(parts, route.ref) ? (route.ref as keyof typeof parts) : 'proposals'
  const [, Part] = parts[name]
  return (
    <section class="people">
      <nav class="chips" aria-label="People and agents">
        {Object.entries(parts).map(([part, [title]]) => (
          <a key={part} href={hrefOf({ view: 'people', ref: part })} aria-current={part === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Part version={changes} />
    </section>
  )
}
