/** The store as a whole: how large it is and how it grows, whether it is whole, and what is kept. */
import { Agent, Answered } from '../parts/said.tsx'
import { Section } from '../parts/section.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { hrefOf, type Route } from '../route.ts'
import { useChanges } from '../source/changes.ts'
import type { Stats } from '../source/shapes/store.ts'
import { ask, can } from '../source/source.ts'
import { bytesText } from './bytes-text.ts'
import { Growth } from './growth.tsx'
import { Health } from './health.tsx'
import { Retention } from './retention.tsx'

export function StoreView({ route }: { readonly route: Route }) {
  const changes = useChanges()
  const answer = useAnswer('stats', signal => ask('stats', { ref: route.ref || 'main' }, signal), changes)
  return (
    <section class="store">
      <Answered
        answer={answer}
        show={stats => (
          <>
            <Size stats={stats} />
            <Section title="Growth">
              <Growth version={changes} />
            </Section>
            <Section title="Health">
              <Health />
            </Section>
            {can('gc_dry_run') && (
              <Section title="What is kept">
                <Retention stats={stats} />
              </Section>
            )}
          </>
        )}
      />
    </section>
  )
}

function Size({ stats }: { readonly stats: Stats }) {
  const figures = [
    ['commits', stats.commits.toLocaleString()],
    ['branches', stats.branches.toLocaleString()],
    ['stored', bytesText(stats.stored_bytes)],
    ['a commit', stats.commits === 0 ? '–' : bytesText(stats.stored_bytes / stats.commits)],
  ]
  return (
    <>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dd>{value}</dd>
            <dt>{name}</dt>
          </div>
        ))}
      </dl>
      {stats.hint !== undefined && <p class="empty">{visible(stats.hint)}</p>}
      <div class="two-lists">
        <Counts title="By agent" counts={stats.by_agent} word="agent" />
        <Counts title="By category" counts={stats.by_category} word="category" />
      </div>
    </>
  )
}

const MOST = 12

interface CountsProps {
  readonly title: string
  readonly counts: Readonly<Record<string, number>>
  readonly word: 'agent' | 'category'
}

function Counts({ title, counts, word }: CountsProps) {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return (
    <div>
      <h3>{title}</h3>
      <table class="counts">
        <tbody>
          {rows.slice(0, MOST).map(([name, count]) => (
            <tr key={name}>
              <th scope="row">
                <a href={hrefOf({ view: 'history', ref: '*', options: { q: `${word}:"${name}"` } })}>
                  {word === 'agent' ? <Agent name={name} /> : visible(name)}
                </a>
              </th>
              <td>{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST && <p class="empty">and {rows.length - MOST} more</p>}
    </div>
  )
}
