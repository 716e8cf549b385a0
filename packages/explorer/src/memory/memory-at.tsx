/** What agents know: now, or as it was at a commit. */
import { segmentOf } from '../parts/path-keys.ts'
import { Answered, shortId } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { LongText, WholeValue } from '../parts/value.tsx'
import { hrefOf } from '../route.ts'
import { ask } from '../source/source.ts'

interface MemoryAtProps {
  readonly branch: string
  /** A commit; empty for now. */
  readonly at: string
  readonly agent: string
  readonly version: number
}

export function MemoryAt({ branch, at, agent, version }: MemoryAtProps) {
  const ref = at || branch
  const path = agent === '' ? '' : `/${segmentOf(agent)}`
  const key = JSON.stringify(['memory', ref, path])
  const answer = useAnswer(
    key,
    async signal => {
      const [seen, whole] = await Promise.all([
        ask('memory_view', { ref: branch, commit: at || undefined }, signal),
        agent === '' ? undefined : ask('get', { ref, path }, signal),
      ])
      return { text: seen.text, value: whole?.value }
    },
    version,
  )
  return (
    <>
      <h2>{at === '' ? 'What is known now' : `What was known at ${shortId(at)}`}</h2>
      {at !== '' && (
        <p class="links">
          <a href={hrefOf({ view: 'memory', ref: branch, options: { agent } })}>Now</a>{' '}
          <a href={hrefOf({ view: 'commit', ref: at })}>The commit</a>{' '}
          <a href={hrefOf({ view: 'state', ref: at, path })}>As a tree</a>
        </p>
      )}
      <Answered
        answer={answer}
        show={({ text, value }) => (
          <>
            {agent !== '' && <WholeValue value={value} />}
            <details open={agent === ''}>
              <summary>As a prompt shows it</summary>
              <LongText kind="map" text={text} />
            </details>
          </>
        )}
      />
    </>
  )
}
