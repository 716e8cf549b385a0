/** The frame of the page: where one can go, and the view that the URL names. Views other than the first load when needed. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { HistoryView } from './history/history-view.tsx'
import { Fault } from './parts/said.tsx'
import { hrefOf, type Route, route, type ViewName } from './route.ts'
import { forgetToken, isTokenAsked, token } from './source/token.ts'
import { TokenForm } from './token-form.tsx'

interface ViewProps {
  readonly route: Route
}

type View = ComponentType<ViewProps>

/** Loaded when first shown. */
const later: Readonly<Partial<Record<ViewName, () => Promise<View>>>> = {
  state: async () => (await import('./state/state-view.tsx')).StateView,
  blame: async () => (await import('./blame/blame-view.tsx')).BlameView,
  commit: async () => (await import('./commit/commit-page.tsx')).CommitPage,
}

export function App() {
  const here = route.value
  const ofRef = here.ref === '*' ? 'main' : here.ref
  const tabs: readonly (readonly [ViewName, string, string])[] = [
    ['history', 'History', hrefOf({ view: 'history', ref: '*' })],
    ['state', 'State', hrefOf({ view: 'state', ref: here.view === 'history' ? ofRef : here.ref })],
  ]
  return (
    <>
      <header>
        <h1>AgentStateGraph</h1>
        <nav aria-label="Views">
          {tabs.map(([view, title, href]) => (
            <a key={view} href={href} aria-current={here.view === view ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {token.value !== undefined && (
          <button type="button" onClick={forgetToken}>
            Forget the key
          </button>
        )}
      </header>
      <main>{isTokenAsked.value ? <TokenForm /> : <Shown route={here} />}</main>
    </>
  )
}

function Shown({ route: here }: ViewProps) {
  const load = later[here.view]
  return load === undefined ? <HistoryView route={here} /> : <Late key={here.view} route={here} load={load} />
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
