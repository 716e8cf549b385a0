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
  proposals: ['Proposals', Proposals, 'Changes that land when someone approves them, and not before.'],
  grants: [
    'Principals and grants',
    Principals,
    'Each right was given by someone who has it. Open a grant to revoke it.',
  ],
  sessions: ['Sessions', Sessions, 'Pieces of work that were delegated to an agent, within limits.'],
  taints: ['Taints', Taints, 'Paths that cannot be trusted, and what holds there until someone releases them.'],
  refusals: [
    'Refusals',
    Refused,
    'Calls that broke a rule, counted by minute. What they would have written is not kept.',
  ],
  calibration: ['Calibration', Calibrations, 'How sure each agent said it was, against how often it was right.'],
} as const

export function PeopleView({ route }: { readonly route: Route }) {
  const changes = useChanges()
  const name = Object.hasOwn(parts, route.ref) ? (route.ref as keyof typeof parts) : 'proposals'
  const [, Part, about] = parts[name]
  return (
    <section class="people">
      <nav class="chips" aria-label="People and agents">
        {Object.entries(parts).map(([part, [title]]) => (
          <a key={part} href={hrefOf({ view: 'people', ref: part })} aria-current={part === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <p class="hint">{about}</p>
      <Part version={changes} />
    </section>
  )
}
