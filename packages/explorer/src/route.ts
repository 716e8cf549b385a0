/**
 * Where the page is: the part of the URL behind `#`, so that every view can be shared and the server is not asked for it.
 *
 * `#/state/main/cluster/node-3?as_of=…` is a view, a ref (its slashes encoded) and a path of the state.
 */
import { computed, signal } from '@preact/signals'

/** Each view with the place that it shows when the URL names none. */
const beginnings = {
  history: '*',
  state: 'main',
  commit: 'main',
  blame: 'main',
  compare: '',
  runs: '',
  memory: 'main',
  plans: '',
  people: '',
  epochs: '',
  store: '',
} as const

export type ViewName = keyof typeof beginnings

export interface Route {
  readonly view: ViewName
  /** A branch, tag or commit; `*` for all branches. In other views, what it shows first: a graph, a plan, an epoch. */
  readonly ref: string
  /** A path of the state, as a JSON Pointer; empty for the root. */
  readonly path: string
  readonly options: Readonly<Record<string, string>>
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed<Route>(() => readRoute(hash.value))

export function readRoute(text: string): Route {
  const [place = '', query = ''] = text.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [name = '', ref = '', ...segments] = place.split('/')
  const view = Object.hasOwn(beginnings, name) ? (name as ViewName) : 'history'
  const path = segments.length === 0 ? '' : `/${segments.map(decoded).join('/')}`
  return { view, ref: decoded(ref) || beginnings[view], path, options: Object.fromEntries(new URLSearchParams(query)) }
}

export function hrefOf({ view, ref, path = '', options = {} }: Partial<Route> & Pick<Route, 'view' | 'ref'>): string {
  const given = Object.entries(options).filter(([, value]) => value !== '')
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  const segments = path.split('/').slice(1).map(encodeURIComponent)
  return `#/${[view, encodeURIComponent(ref), ...segments].join('/')}${query}`
}

/** A link that keeps the moment and the line of the slider, where it stays at the ref that is shown. */
export function hrefAt(to: Partial<Route> & Pick<Route, 'view' | 'ref'>): string {
  const { ref, options } = route.value
  const { as_of = '', on = '' } = ref === to.ref ? options : {}
  return hrefOf({ ...to, options: { ...to.options, as_of, on } })
}

export function go(to: Partial<Route> & Pick<Route, 'view' | 'ref'>): void {
  location.hash = hrefOf(to)
}

/** Goes there without a step that the back button returns to. */
export function replace(to: Partial<Route> & Pick<Route, 'view' | 'ref'>): void {
  history.replaceState(null, '', hrefOf(to))
  hash.value = location.hash
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
