/** A verdict in plain words: each level that was checked, the first that failed, and what is in the file. */
import { visible } from '../parts/value-text.ts'
import type { Verdict } from '../source/shapes/store.ts'

type Level = Verdict['checks'][number]

const words: Readonly<Record<Level['name'], readonly [passed: string, failed: string, unchecked: string]>> = {
  integrity: [
    'Nothing in it was changed, and nothing is missing.',
    'It is not what was sealed.',
    'It was not read far enough.',
  ],
  signed: [
    'A key that you trust signed it.',
    'No key that you trust signed it.',
    'Who signed it was not checked: give the public key that you got by another way.',
  ],
  extends: [
    'It continues the history that you had.',
    'It does not continue the history that you had.',
    'Whether it continues an earlier history was not checked: give the head that you kept.',
  ],
  witnessed: [
    'A witness that you trust saw the same history.',
    'The witness that you trust did not sign it.',
    'No witness was checked: give the public key of one.',
  ],
  authorised: [
    'Every change was made with a right that its author had.',
    'A change was made without a right to it.',
    'Whether each author had the right to its changes was not checked.',
  ],
}

const signs = { passed: '✓', failed: '✗', 'not-checked': '–' } as const

export function VerdictView({ verdict }: { readonly verdict: Verdict }) {
  const { checks, inventory } = verdict
  const first = checks.find(({ status }) => status === 'failed')
  return (
    <div class="verdict" role="status">
      <p class={verdict.ok ? 'held' : 'not-held'}>
        <strong>{verdict.ok ? 'Intact: no check failed.' : `Broken: ${first?.name ?? verdict.failed} failed.`}</strong>
        {first?.detail !== undefined && ` ${visible(first.detail)}`}
      </p>
      <ul class="levels">
        {checks.map(({ name, status, detail }) => (
          <li key={name} class={status}>
            <span aria-hidden="true">{signs[status]}</span> <strong>{name}</strong> {textOf(name, status)}
            {detail !== undefined && status !== 'failed' && <span class="hint"> {visible(detail)}</span>}
          </li>
        ))}
      </ul>
      {inventory !== undefined && (
        <p>
          {visible(inventory.origin)}, epoch {visible(inventory.epoch)}, entries {inventory.from} to {inventory.to}:{' '}
          {visible(
            Object.entries(inventory.kinds)
              .map(([kind, count]) => `${count} ${kind}`)
              .join(', '),
          )}
          {inventory.withheld > 0 && `; ${inventory.withheld} values withheld`}
          {inventory.erased > 0 && `; ${inventory.erased} erased on request`}
        </p>
      )}
    </div>
  )
}

function textOf(name: Level['name'], status: Level['status']): string {
  const [passed, failed, unchecked] = words[name]
  return status === 'passed' ? passed : status === 'failed' ? failed : unchecked
}
