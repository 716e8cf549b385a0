/** Calls that were refused, counted by minute. What they held is not kept. */
import { Listing } from '../parts/more.tsx'
import { Agent, Time } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import { ask } from '../source/source.ts'

export function Refused({ version }: { readonly version: number }) {
  return (
    <Listing
      name="refusals"
      version={version}
      load={(page, signal) => ask('list_refusals', { ...page }, signal)}
      show={refusals => (
        <div class="table">
          <table>
            <thead>
              <tr>
                {['minute', 'who', 'refused by', 'times'].map(title => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {refusals.map(({ principal, rule, minute, count }) => (
                <tr key={`${principal} ${rule} ${minute}`}>
                  <td>
                    <Time at={minute} />
                  </td>
                  <td>
                    <Agent name={principal} />
                  </td>
                  <td>{visible(rule)}</td>
                  <td>{count.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      empty={<p class="empty">Nothing was refused.</p>}
    />
  )
}
