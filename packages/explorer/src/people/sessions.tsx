/** Sessions: work that was delegated to an agent, within limits. */
import { Listing } from '../parts/more.tsx'
import { Agent, shortId } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import { hrefOf } from '../route.ts'
import { ask } from '../source/source.ts'

export function Sessions({ version }: { readonly version: number }) {
  return (
    <Listing
      name="sessions"
      version={version}
      load={(page, signal) => ask('sessions', { ...page }, signal)}
      show={sessions => (
        <div class="table">
          <table>
            <thead>
              <tr>
                {['session', 'agent', 'branch', 'opened from', 'status'].map(title => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sessions.map(({ id, agent, branch, parent, status }) => (
                <tr key={id}>
                  <th scope="row">
                    <a href={hrefOf({ view: 'history', ref: '*', options: { q: `session:"${id}"` } })}>{shortId(id)}</a>
                  </th>
                  <td>
                    <Agent name={agent} />
                  </td>
                  <td>{visible(branch)}</td>
                  <td>{parent === undefined ? '' : shortId(parent)}</td>
                  <td>{status}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      empty={
        <div class="empty">
          <p>No session was opened. A session delegates a piece of work, within limits, and ends with a report:</p>
          <pre>asg session create agent/worker --scope-paths /storage</pre>
        </div>
      }
    />
  )
}
