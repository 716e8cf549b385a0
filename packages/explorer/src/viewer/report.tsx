/** The verdict, who wrote how much, and every change: what is printed. */
import { VerdictView } from '../epochs/verdict-view.tsx'
import { Agent, Answered, Confidence, Time } from '../parts/said.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import type { Commit, Page } from '../source/shapes/state.ts'
import type { Verdict } from '../source/shapes/store.ts'
import { ask } from '../source/source.ts'
import { opened } from './opened.ts'

/** More rows than that are in the CSV, and page by page in the history. */
const MOST_ROWS = 1000

export function Report() {
  const state = opened.value
  if (state.kind !== 'here') return null
  const { name, verdict, ms, withheld, show } = state
  const isSigned = verdict.checks.some(({ name: level, status }) => level === 'signed' && status === 'passed')
  return (
    <section class="report" data-failed={verdict.failed ?? 'none'} data-of={name}>
      <h2>{visible(name)}</h2>
      <VerdictView verdict={verdict} />
      {verdict.ok && !isSigned && <p class="warning">Signature not checked: who made this file is not known.</p>}
      <p class="hint">Verified in {(ms / 1000).toFixed(2)} s.</p>
      {withheld !== undefined && (
        <p>
          {withheld}{' '}
          {show !== undefined && (
            <button type="button" onClick={() => void show()}>
              Show it
            </button>
          )}{' '}
          <button type="button" onClick={() => (opened.value = { kind: 'none' })}>
            Another file
          </button>
        </p>
      )}
      {verdict.inventory !== undefined && <Agents inventory={verdict.inventory} />}
      {withheld === undefined && <AllChanges />}
    </section>
  )
}

function Agents({ inventory }: { readonly inventory: NonNullable<Verdict['inventory']> }) {
  return (
    <>
      <h3>Who wrote</h3>
      <ul>
        {Object.entries(inventory.agents).map(([agent, commits]) => (
          <li key={agent}>
            <a href={hrefOf({ view: 'history', ref: '*', options: { q: `agent:"${agent}"` } })}>
              <Agent name={agent} />
            </a>{' '}
            {commits} commits
          </li>
        ))}
      </ul>
    </>
  )
}

function AllChanges() {
  const answer = useAnswer('report', signal => ask('query', { ref: '*', limit: MOST_ROWS }, signal))
  return (
    <>
      <h3>What was done, newest first</h3>
      <Answered answer={answer} show={page => <Rows page={page} />} />
    </>
  )
}

function Rows({ page: { items, next_cursor } }: { readonly page: Page<Commit> }) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">when</th>
            <th scope="col">who</th>
            <th scope="col">what and why</th>
            <th scope="col">sure</th>
            <th scope="col">approved by</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ id, timestamp, agent, intent, reasoning, confidence, approval }) => (
            <tr key={id}>
              <td>
                <Time at={timestamp} />
              </td>
              <td>
                <Agent name={agent} />
              </td>
              <td>
                <a href={hrefOf({ view: 'commit', ref: id })}>{visible(intent.description)}</a>
                {reasoning !== undefined && <span class="hint"> {visible(reasoning)}</span>}
              </td>
              <td>
                <Confidence value={confidence} />
              </td>
              <td>{approval !== undefined && <Agent name={approval.by} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next_cursor !== undefined && <p>There are more: the history and its CSV have all of them.</p>}
    </div>
  )
}
