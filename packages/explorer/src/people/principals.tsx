/** Principals, and the grants between them as a tree: each below the one that it was delegated from. */
import { tellDone } from '../parts/done.tsx'
import { Listing } from '../parts/more.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Agent, Time } from '../parts/said.tsx'
import { Section } from '../parts/section.tsx'
import { visible } from '../parts/value-text.ts'
import type { Grant } from '../source/shapes/access.ts'
import { ask, can } from '../source/source.ts'

export function Principals({ version }: { readonly version: number }) {
  return (
    <>
      <Section title="Principals">
        <Listing
          name="principals"
          version={version}
          load={(page, signal) => ask('list_principals', { ...page }, signal)}
          show={principals => (
            <ul class="found">
              {principals.map(({ id, kind, by, time }) => (
                <li key={id}>
                  <Agent name={id} /> <span class="category">{kind}</span> added by {visible(by)} <Time at={time} />
                </li>
              ))}
            </ul>
          )}
          empty={
            <div class="empty">
              <p>Only the operator works here. Give people and agents keys of their own, so that history names them:</p>
              <pre>{`asg principal add agent/deployer agent\nasg grant add agent/deployer read commit --paths /cluster`}</pre>
            </div>
          }
        />
      </Section>
      <Section title="Who may do what, and from whom">
        <Listing
          name="grants"
          version={version}
          load={(page, signal) => ask('list_grants', { ...page }, signal)}
          show={grants => (
            <div class="tree">
              <GrantTree grants={grants} parent={undefined} />
            </div>
          )}
          empty={<p class="empty">Nothing is granted.</p>}
        />
      </Section>
    </>
  )
}

interface GrantTreeProps {
  readonly grants: readonly Grant[]
  readonly parent: string | undefined
}

/** A grant whose parent cannot be seen stands at the top. */
function GrantTree({ grants, parent }: GrantTreeProps) {
  const isHere = (grant: Grant): boolean =>
    parent === undefined ? !grants.some(({ id }) => id === grant.parent) : grant.parent === parent
  const here = grants.filter(isHere)
  if (here.length === 0) return null
  return (
    <ul>
      {here.map(grant => (
        <li key={grant.id}>
          <OneGrant grant={grant} />
          <GrantTree grants={grants} parent={grant.id} />
        </li>
      ))}
    </ul>
  )
}

function OneGrant({ grant }: { readonly grant: Grant }) {
  const { id, from, to, capabilities, paths, branches, expires, revoked } = grant
  const revoke = async (reason: string): Promise<void> => {
    await ask('revoke_grant', { id, reason })
    tellDone(`Revoked what ${from} granted to ${to}. It has to be granted anew.`)
  }
  return (
    <details>
      <summary class={revoked === undefined ? '' : 'revoked'}>
        <Agent name={from} /> lets <Agent name={to} /> {visible(capabilities.join(', '))}
        {paths !== undefined && ` at ${visible(paths.join(', '))}`}
        {branches !== undefined && ` on ${visible(branches.join(', '))}`}
        {revoked !== undefined && ' (revoked)'}
      </summary>
      {expires !== undefined && (
        <p>
          until <Time at={expires} />
        </p>
      )}
      {revoked !== undefined && (
        <p>
          revoked by <Agent name={revoked.by} /> <Time at={revoked.time} />: {visible(revoked.reason)}
        </p>
      )}
      {revoked === undefined && can('revoke_grant') && (
        <ReasonForm about={`the grant of ${from} to ${to}`} decisions={[{ title: 'Revoke', decide: revoke }]} />
      )}
    </details>
  )
}
