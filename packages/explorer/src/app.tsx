/** The frame of the page: where one can go, the view that the URL names, and what was just done. */
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { DoneBar } from './parts/done.tsx'
import { Fault } from './parts/said.tsx'
import { visible } from './parts/value-text.ts'
import { hrefAt, type Route, route, type ViewName } from './route.ts'
import { caller } from './source/caller.ts'
import { forgetToken, isTokenAsked, token } from './source/token.ts'
import { TokenForm } from './token-form.tsx'

interface ViewProps {
  readonly route: Route
}

type View = ComponentType<ViewProps>

/** The views of a page: each is here, or loaded when it is first shown. One with a title can be gone to from every view. */
export type Views = Readonly<
  Partial<
    Record<ViewName, { readonly title?: string } & ({ readonly View: View } | { readonly load: () => Promise<View> })>
  >
>

/** `children` stand after the views that can be gone to. */
export function App({ views, children }: { readonly views: Views; readonly children?: ComponentChildren }) {
  const here = route.value
  return (
    <>
      <header>
        <h1>AgentStateGraph</h1>
        <nav aria-label="Views">
          {(Object.keys(views) as ViewName[]).map(view => {
            const title = views[view]?.title
            return (
              title !== undefined && (
                <a
                  key={view}
                  href={hrefAt(beginningOf(view, here))}
                  aria-current={here.view === view ? 'page' : undefined}
                >
                  {title}
                </a>
              )
            )
          })}
          {children}
        </nav>
        {caller.value !== undefined && (
          <span class="who">
            {visible(caller.value.principal)}
            {caller.value.mode !== 'write' && ` (${modes[caller.value.mode]})`}
          </span>
        )}
        {token.value !== undefined && (
          <button type="button" onClick={forgetToken}>
            Forget the key
          </button>
        )}
      </header>
      <main>{isTokenAsked.value ? <TokenForm /> : <Shown views={views} route={here} />}</main>
      <DoneBar />
    </>
  )
}

const modes = { 'read-only': 'read only', propose: 'writes are proposals' } as const

/** The state is shown where one is; other views begin at their beginning. */
function beginningOf(view: ViewName, here: Route): { readonly view: ViewName; readonly ref: string } {
  const isAtState = here.view === 'state' || here.view === 'blame' || here.view === 'commit'
  return { view, ref: view === 'state' && isAtState ? here.ref : '' }
}

function Shown({ views, route: here }: ViewProps & { readonly views: Views }) {
  const entry = views[here.view] ?? views.history
  if (entry === undefined) return null
  return 'View' in entry ? <entry.View route={here} /> : <Late key={here.view} route={here} load={entry.load} />
}

function Late({ route: here, load }: ViewProps & { load(): Promise<View> }) {
  const [view, setView] = useState<{ readonly View?: View; readonly error?: Error }>({})
  useEffect(() => {
    load().then(
      View => setView({ View }),
      error => setView({ error }),
    )
  }, [load])
  if (view.error !== undefined) return <Fault error={view.error} />
  return view.View === undefined ? <p class="waiting">Loading…</p> : <view.View route={here} />
}
