/** A path whose parts lead to the state there, and a way to its blame. */
import { hrefAt } from '../route.ts'
import { keyOf } from './path-keys.ts'
import { visible } from './value-text.ts'

export function PathLinks({ path, at }: { readonly path: string; readonly at: string }) {
  const segments = path.split('/').slice(1)
  return (
    <span class="path">
      <a href={hrefAt({ view: 'state', ref: at })} aria-label="The root of the state">
        /
      </a>
      {segments.map((segment, nth) => {
        const upTo = `/${segments.slice(0, nth + 1).join('/')}`
        return (
          <span key={upTo}>
            {nth > 0 && '/'}
            <a href={hrefAt({ view: 'state', ref: at, path: upTo })}>{visible(keyOf(segment))}</a>
          </span>
        )
      })}
    </span>
  )
}

export function BlameLink({ path, at }: { readonly path: string; readonly at: string }) {
  return (
    <a class="aside" href={hrefAt({ view: 'blame', ref: at, path })} aria-label={`Who wrote ${visible(path)}, and why`}>
      why?
    </a>
  )
}
