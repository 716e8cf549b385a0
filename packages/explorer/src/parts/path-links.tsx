/** A path whose parts lead to the state there, and a way to its blame. */
import { hrefOf } from '../route.ts'
import { visible } from './value-text.ts'

export function PathLinks({ path, at }: { readonly path: string; readonly at: string }) {
  const segments = path.split('/').slice(1)
  return (
    <span class="path">
      <a href={hrefOf({ view: 'state', ref: at })} aria-label="The root of the state">
        /
      </a>
      {segments.map((segment, nth) => {
        const upTo = `/${segments.slice(0, nth + 1).join('/')}`
        return (
          <span key={upTo}>
            {nth > 0 && '/'}
            <a href={hrefOf({ view: 'state', ref: at, path: upTo })}>
              {visible(segment.replaceAll('~1', '/').replaceAll('~0', '~'))}
            </a>
          </span>
        )
      })}
    </span>
  )
}

export function BlameLink({ path, at }: { readonly path: string; readonly at: string }) {
  return (
    <a
      class="blame-link"
      href={hrefOf({ view: 'blame', ref: at, path })}
      aria-label={`Who wrote ${visible(path)}, and why`}
    >
      why?
    </a>
  )
}
