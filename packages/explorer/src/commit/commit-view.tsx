/** One commit: what changed, why, who, on whose authority, what else was considered, what was expected and what was seen. */

import { Answers } from '../parts/answers.tsx'
import { Copy } from '../parts/copy.tsx'
import { Agent, Answered, Confidence, shortId, Time } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { hrefAt, hrefOf } from '../route.ts'
import type { Blame, Change, Commit, Described } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { findAuthority } from './authority.ts'
import { Changes } from './changes.tsx'
import { Outcome } from './outcome.tsx'
import { ToolCalls } from './tool-calls.tsx'
import { TraceLink } from './trace-link.tsx'

export function CommitView({ id }: { readonly id: string }) {
  const answer = useAnswer(`commit ${id}`, signal => ask('get_commit', { id, changes: true }, signal))
  return <Answered answer={answer} show={commit => <CommitStory commit={commit} />} />
}

/** What surrounds the commit; undefined where it changed nothing that can be blamed. */
async function findChain(commit: Described, signal: AbortSignal): Promise<Blame['chain'] | undefined> {
  const written = commit.changes?.find(({ op }) => op !== 'remove')
  if (written === undefined) return undefined
  const asked = ask('blame', { ref: commit.id, path: written.path || '/', chain: true }, signal)
  const blame = await asked.catch(() => undefined)
  return blame?.id === commit.id ? blame.chain : undefined
}

function CommitStory({ commit }: { readonly commit: Described }) {
  // It is looked for among all that came after the commit, so the commit is shown before.
  const around = useAnswer(`around ${commit.id}`, signal => findChain(commit, signal))
  const chain = around.kind === 'here' ? around.value : undefined
  const { intent, parents, changes = [], expects, warnings = [] } = commit
  const observed = chain?.observed ?? []
  return (
    <article class="commit">
      <h2>{visible(intent.description)}</h2>
      <p class="by">
        <Agent name={commit.agent} /> <Time at={commit.timestamp} />{' '}
        <span class="category">{visible(intent.category)}</span> <Confidence value={commit.confidence} />
      </p>
      {commit.reasoning !== undefined && <Part title="Why">{<p class="prose">{visible(commit.reasoning)}</p>}</Part>}
      <Part title="What changed">
        {commit.trimmed ? (
          <p class="empty">Retention dropped the states that this is read from.</p>
        ) : (
          <Changes changes={changes} at={commit.id} before={parents[0]} />
        )}
      </Part>
      {warnings.length > 0 && (
        <Part title="Warnings">
          <ul>
            {warnings.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <span class="path">{visible(path)}</span>: {visible(message)}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Considered considered={chain?.considered ?? commit.alternatives} commit={commit} />
      {around.kind !== 'waiting' && (expects.length > 0 || observed.length > 0) && (
        <Part title="What was expected, and what was observed">
          <Outcome expects={expects} observed={observed} />
        </Part>
      )}
      {commit.tools.length > 0 && (
        <Part title="Tool calls">
          <ToolCalls tools={commit.tools} />
        </Part>
      )}
      <Part title="On whose authority">
        <p>{findAuthority(commit) ?? 'Nobody is named: it was written without a key.'}</p>
        {commit.approval !== undefined && (
          <p>
            Approved by <Agent name={commit.approval.by} />: {visible(commit.approval.reason)}
          </p>
        )}
        <Answers answers={commit.answers} />
      </Part>
      <PartOf commit={commit} intents={chain?.intents ?? []} />
      <p class="links">
        <a href={hrefOf({ view: 'commit', ref: commit.id })}>This commit</a>{' '}
        <a href={hrefAt({ view: 'state', ref: commit.id })}>The state then</a>{' '}
        <a href={commitsWith('intent', intent.id)}>All with this intent</a>{' '}
        {parents.map((parent, nth) => (
          <span key={parent}>
            <a href={hrefOf({ view: 'commit', ref: parent })}>{nth === 0 ? 'Before this' : 'What was merged'}</a>{' '}
          </span>
        ))}
        <code>{shortId(commit.id)}</code> <Copy text={commit.id} what="id" />
      </p>
    </article>
  )
}

interface PartOfProps {
  readonly commit: Commit
  /** The intents above that of the commit. */
  readonly intents: NonNullable<Blame['chain']>['intents']
}

function PartOf({ commit: { intent, session, trace }, intents }: PartOfProps) {
  if (intents.length === 0 && session === undefined && intent.tags.length === 0 && trace === undefined) return null
  return (
    <Part title="Part of">
      <ul>
        {intents.map(({ id, description }) => (
          <li key={id}>
            <a href={commitsWith('intent', id)}>{visible(description || id)}</a>
          </li>
        ))}
        {session !== undefined && (
          <li>
            <a href={commitsWith('session', session)}>the session</a>
          </li>
        )}
      </ul>
      {intent.tags.length > 0 && <p>Tags: {visible(intent.tags.join(', '))}</p>}
      {trace !== undefined && <TraceLink trace={trace} />}
    </Part>
  )
}

function commitsWith(field: 'intent' | 'session', id: string): string {
  return hrefOf({ view: 'history', ref: '*', options: { q: `${field}:"${id}"` } })
}

interface ConsideredProps {
  readonly considered: readonly {
    readonly label: string
    readonly why_not?: string
    readonly changes?: readonly Change[]
  }[]
  readonly commit: Commit
}

/** The ways that were not taken, with what each would have changed. */
function Considered({ considered, commit: { id, parents } }: ConsideredProps) {
  if (considered.length === 0) return null
  return (
    <Part title="What else was considered">
      <ul>
        {considered.map(({ label, why_not, changes = [] }) => (
          <li key={label}>
            <strong>{visible(label)}</strong>
            {why_not !== undefined && `: ${visible(why_not)}`}
            {changes.length > 0 && (
              <details>
                <summary>What it would have changed</summary>
                <Changes changes={changes} at={id} before={parents[0]} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  )
}
