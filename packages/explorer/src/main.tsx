/** Draws the Explorer on the server that sent it. Views other than the first load when they are first shown. */
import '@preact/signals'
import { render } from 'preact'
import { App, type Views } from './app.tsx'
import { HistoryView } from './history/history-view.tsx'
import { openHttpSource } from './source/http-source.ts'
import { setSource } from './source/source.ts'

const views: Views = {
  history: { title: 'History', View: HistoryView },
  state: { title: 'State', load: async () => (await import('./state/state-view.tsx')).StateView },
  commit: { load: async () => (await import('./commit/commit-page.tsx')).CommitPage },
  blame: { load: async () => (await import('./blame/blame-view.tsx')).BlameView },
  compare: { title: 'Compare', load: async () => (await import('./compare/compare-view.tsx')).CompareView },
  runs: { title: 'Runs', load: async () => (await import('./runs/runs-view.tsx')).RunsView },
  memory: { title: 'Memory', load: async () => (await import('./memory/memory-view.tsx')).MemoryView },
  plans: { title: 'Plans', load: async () => (await import('./plans/plans-view.tsx')).PlansView },
  people: { title: 'People', load: async () => (await import('./people/people-view.tsx')).PeopleView },
  epochs: { title: 'Epochs', load: async () => (await import('./epochs/epochs-view.tsx')).EpochsView },
  store: { title: 'Store', load: async () => (await import('./store/store-view.tsx')).StoreView },
}

setSource(openHttpSource())
render(
  <App views={views}>
    <a href="playground">Playground</a>
  </App>,
  document.getElementById('app')!,
)
