/** Proposals: what each would change, and the decision about it. */
import { Changes } from '../commit/changes.tsx'
import { tellDone } from '../parts/done.tsx'
import { Listing } from '../parts/more.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Agent, Confidence, Time } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Proposal } from '../source/shapes/access.ts'
import { ask, can } from '../source/source.ts'

export function Proposals({ version }: { readonly version: number }) {
  return (
    <Listing
      name="proposals"
      version={version}
      load={(page, signal) => ask('list_proposals', { ...page }, signal)}
      show={proposals => (
        <ul class="writes">
          {proposals.map(proposal => (
            <OneProposal key={proposal.id} proposal={proposal} />
          ))}
        </ul>
      )}
      empty={
        <div class="empty">
          <p>
            Nothing was proposed. A change that needs an approval waits here until a person or another agent decides:
          </p>
          <pre>asg policy propose careful require-approval --when-paths /billing</pre>
        </div>
      }
    />
  )
}

function OneProposal({ proposal }: { readonly proposal: Proposal }) {
  const { id, status, decision, into } = proposal
  const decisions = [
    ...(can('approve') ? [{ title: 'Approve', decide: approve }] : []),
    ...(can('reject') ? [{ title: 'Reject', decide: reject }] : []),
  ]
  async function approve(reason: string): Promise<void> {
    const landed = await ask('approve', { id, reason })
    tellDone(`Approved “${proposal.description}”.`, landed.seq)
  }
  async function reject(reason: string): Promise<void> {
    await ask('reject', { id, reason })
    tellDone(`Rejected “${proposal.description}”. Its author can propose it again.`)
  }
  return (
    <li class="write">
      <p class="by">
        <strong>{visible(proposal.description)}</strong> <span class={`status ${status}`}>{status}</span>
      </p>
      <p>
        <Agent name={proposal.by} /> <Time at={proposal.timestamp} /> <Confidence value={proposal.confidence} />{' '}
        <span class="category">into {visible(into)}</span>
      </p>
      {proposal.reasoning !== undefined && <p class="prose">because {visible(proposal.reasoning)}</p>}
      <Changes changes={proposal.changes} at={proposal.commit} before={into} />
      {decision !== undefined && (
        <p>
          {status} by <Agent name={decision.by} />
          {decision.reason !== undefined && `: ${visible(decision.reason)}`}{' '}
          {decision.commit !== undefined && <a href={hrefOf({ view: 'commit', ref: decision.commit })}>the commit</a>}
        </p>
      )}
      {status === 'lapsed' && <p class="hint">Its branch has moved on, so it has to be made again.</p>}
      {status === 'open' && <ReasonForm about={proposal.description} decisions={decisions} />}
    </li>
  )
}
