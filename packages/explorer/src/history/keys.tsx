/** What the keyboard does in the history, and which filters can be typed. */
import { filters } from '../source/source.ts'
import { filterNames } from './filter-words.ts'

const keys = [
  ['j, k, ↓, ↑', 'the next, the previous commit'],
  ['g, G', 'the newest, the oldest that is loaded'],
  ['Enter', 'the commit on a page of its own'],
  ['s', 'the state at the commit'],
  ['c', 'compare the commit with another: once on each'],
  ['/', 'type a filter'],
  ['Esc', 'close the commit'],
  ['?', 'show or hide this'],
] as const

export function Keys() {
  return (
    <section class="panel keys" aria-label="Keys and filters">
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>
        Filters:{' '}
        {[...filterNames, ...filters()].map(name => (
          <span key={name}>
            <code>{name}:</code>{' '}
          </span>
        ))}
        and words. <code>since:02:00</code> is the last time that it was two o'clock, <code>since:2h</code> two hours
        ago, <code>path:/cluster</code> also what is below it.
      </p>
    </section>
  )
}
