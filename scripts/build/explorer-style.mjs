/** The style of the web pages: that of the whole page, then that of each part and each view, in the order of its files here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const styleFiles = [
  'style.css',
  'parts/values.css',
  'parts/parts.css',
  'parts/forms.css',
  'parts/drawing.css',
  'time/time.css',
  'history/history.css',
  'state/state.css',
  'commit/commit.css',
  'blame/blame.css',
  'compare/compare.css',
  'runs/runs.css',
  'memory/memory.css',
  'plans/plans.css',
  'people/people.css',
  'epochs/epochs.css',
  'store/store.css',
  'playground/playground.css',
].map(name => `src/${name}`)

export function explorerStyle(explorer, files = styleFiles) {
  return files.map(name => readFileSync(join(explorer, name), 'utf8').replaceAll(/\s*\n\s*/g, '\n')).join('')
}
