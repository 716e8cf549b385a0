/** The frame of the viewer: a file is chosen, then verified, then shown by the views of the Explorer. */
import { App, type Views } from '../app.tsx'
import { BlameView } from '../blame/blame-view.tsx'
import { CommitPage } from '../commit/commit-page.tsx'
import { VerdictView } from '../epochs/verdict-view.tsx'
import { HistoryView } from '../history/history-view.tsx'
import { Fault } from '../parts/said.tsx'
import { visible } from '../parts/value-text.ts'
import { StateView } from '../state/state-view.tsx'
import { CsvButton } from './csv.tsx'
import { FileForm } from './file-form.tsx'
import { type Opened, opened } from './opened.ts'
import { Report } from './report.tsx'

const views: Views = {
  epochs: { title: 'Verdict', View: Report },
  history: { title: 'History', View: HistoryView },
  state: { title: 'State', View: StateView },
  commit: { View: CommitPage },
  blame: { View: BlameView },
}

export function Viewer() {
  const state = opened.value
  if (state.kind === 'here') {
    return (
      <>
        {state.withheld === undefined ? (
          <>
            <App views={views} />
            <QuickFilters />
          </>
        ) : (
          <main>
            <Report />
          </main>
        )}
      </>
    )
  }
  return (
    <main class="viewer">
      <h1>AgentStateGraph viewer</h1>
      {state.kind === 'working' ? <Progress {...state} /> : <FileForm />}
      {state.kind === 'failed' && (
        <>
          <p>{visible(state.name)} could not be read.</p>
          <Fault error={state.error} />
        </>
      )}
    </main>
  )
}

function Progress({ name, what, done, verdict, cancel }: Extract<Opened, { kind: 'working' }>) {
  return (
    <div class="panel" role="status">
      <p>
        {what} {visible(name)}
      </p>
      <progress max={1} value={done} aria-label={what} />{' '}
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      {verdict !== undefined && <VerdictView verdict={verdict} />}
    </div>
  )
}

/** What an auditor asks first. */
function QuickFilters() {
  return (
    <nav class="quick" aria-label="What to look at">
      <a href="#/history/*?q=confidence%3A%3C0.5">Low confidence</a>{' '}
      <a href="#/history/*?q=approved%3Ano">Unapproved</a> <CsvButton />{' '}
      <button type="button" onClick={() => print()}>
        Print
      </button>
      <button type="button" onClick={() => (opened.value = { kind: 'none' })}>
        Another file
      </button>
    </nav>
  )
}
