/** One commit: what changed, why, who, on whose authority, what else was considered, what was expected and what was seen. */

import { Answers } from '../parts/answers.tsx'
import { Copy } from '../parts/copy.tsx'
import { Agent, Answered, Confidence, shortId, Time } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { ShortValue, WholeValue } from '../parts/value.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Blame, Change, Commit } from '../source/shapes/state.ts'
import { ask } from '../source/source.ts'
import { Changes } from './changes.tsx'

interface Story {
  readonly commit: Commit
  readonly changes: readonly Change[]
  /** What surrounds the commit; undefined where it changed nothing that can be blamed. */
  readonly blame: Blame | undefined
}

export function CommitView({ id }: { readonly id: string }) {
  const answer = useAnswer(`commit ${id}`, signal => loadStory(id, signal))
  return <Answered answer={answer} show={story => <CommitStory {...story} />} />
}

async function loadStory(id: string, signal: AbortSignal): Promise<Story> {
  const commit = await ask('get_commit', { id }, signal)
  const [parent] = commit.parents
  const changes =
    parent === undefined
      ? asAdditions((await ask('get', { ref: commit.id }, signal)).value)
      : (await ask('diff', { from: parent, to: commit.id }, signal)).changes
  const written = changes.find(({ op }) => op !== 'remove')
  const asked =
    written === undefined ? undefined : ask('blame', { ref: commit.id, path: written.path, chain: true }, signal)
  const blame = await asked?.catch(() => undefined)
  return { commit, changes, blame: blame?.id === commit.id ? blame : undefined }
}

/** The first commit changed everything that it holds. */
function asAdditions(state: unknown): readonly Change[] {
  return Object.entries(state as Readonly<Record<string, unknown>>).map(([key, after]) => ({
    op: 'add',
    path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    after,
  }))
}

function CommitStory({ commit, changes, blame }: Story) {
  const { intent, parents, alternatives } = commit
  const considered = blame?.chain?.considered ?? alternatives
  return (
    <article class="commit">
      <h2>{visible(intent.description)}</h2>
      <p class="by">
        <Agent name={commit.agent} /> <Time at={commit.timestamp} />{' '}
        <span class="category">{visible(intent.category)}</span> <Confidence value={commit.confidence} />
      </p>
      {commit.reasoning !== undefined && <Part title="Why">{<p class="prose">{visible(commit.reasoning)}</p>}</Part>}
      <Part title="What changed">
        <Changes changes={changes} at={commit.id} before={parents[0]} />
      </Part>
      {considered.length > 0 && (
        <Part title="What else was considered">
          <ul>
            {considered.map(({ label, why_not }) => (
              <li key={label}>
                <strong>{visible(label)}</strong>
                {why_not !== undefined && `: ${visible(why_not)}`}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {commit.expects.length > 0 && (
        <Part title="What was expected">
          <Expected expects={commit.expects} />
        </Part>
      )}
      {blame?.chain !== undefined && (blame.chain.observed.length > 0 || commit.expects.length > 0) && (
        <Part title="What was observed">
          {blame.chain.observed.length === 0 && <p class="empty">Nobody has recorded an observation yet.</p>}
          <ul>
            {blame.chain.observed.map((seen, nth) => (
              <li key={`${nth}`} class={seen.held ? 'held' : 'not-held'}>
                {seen.held ? 'As expected' : 'Not as expected'}
                {seen.note !== undefined && `: ${visible(seen.note)}`}
                {seen.observed !== undefined && <WholeValue value={seen.observed} />}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {commit.tools.length > 0 && (
        <Part title="Tool calls">
          <WholeValue value={commit.tools} />
        </Part>
      )}
      <Part title="On whose authority">
        <p>{authorityOf(commit, blame)}</p>
        {commit.approval !== undefined && (
          <p>
            Approved by <Agent name={commit.approval.by} />: {visible(commit.approval.reason)}
          </p>
        )}
        <Answers answers={commit.answers} />
      </Part>
      <Part title="Part of">
        <ul>
          {(blame?.chain?.intents ?? []).map(({ id, description }) => (
            <li key={id}>
              <a href={hrefOf({ view: 'history', ref: '*', options: { q: `intent:"${id}"` } })}>
                {visible(description || id)}
              </a>
            </li>
          ))}
          <li>
            <a href={hrefOf({ view: 'history', ref: '*', options: { q: `intent:"${intent.id}"` } })}>
              everything with this intent
            </a>
          </li>
          {commit.session !== undefined && (
            <li>
              <a href={hrefOf({ view: 'history', ref: '*', options: { q: `session:"${commit.session}"` } })}>
                the session
              </a>
            </li>
          )}
        </ul>
        {intent.tags.length > 0 && <p>Tags: {visible(intent.tags.join(', '))}</p>}
        {commit.trace !== undefined && (
          <p>
            Trace <code>{visible(commit.trace)}</code> <Copy text={commit.trace} what="trace id" />
          </p>
        )}
      </Part>
      <p class="links">
        <a href={hrefOf({ view: 'commit', ref: commit.id })}>This commit</a>{' '}
        <a href={hrefOf({ view: 'state', ref: commit.id })}>The state then</a>{' '}
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

/** An expectation of a value at a path in words; any other as it is. */
function Expected({ expects }: { readonly expects: readonly unknown[] }) {
  return (
    <ul>
      {expects.map((expected, nth) => {
        const { path, equals, ...rest } = expected as { readonly path?: string; readonly equals?: unknown }
        const isPlain = typeof path === 'string' && equals !== undefined && Object.keys(rest).length === 0
        return (
          <li key={`${nth}`}>
            {isPlain ? (
              <>
                <span class="path">{visible(path)}</span> becomes <ShortValue value={equals} />
              </>
            ) : (
              <WholeValue value={expected} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function authorityOf({ agent, principal, authority }: Commit, blame: Blame | undefined): string {
  const delegation = blame?.delegation ?? []
  const [first] = delegation
  if (first !== undefined) return visible([first.from, ...delegation.map(({ to }) => to)].join(' → '))
  if (principal !== undefined) return visible(principal === agent ? principal : `${principal} → ${agent}`)
  return authority.length > 0
    ? `Grants ${visible(authority.join(' → '))}`
    : 'Nobody is named: the store is written without keys.'
}

function Part({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  )
}
