/** The operations with their own printer. Every other result goes to `printAny`. */
import { isRecord } from '../../wire/wired.ts'
import { visibleLines } from '../terminal/visible-text.ts'
import { printAny } from './any-result.ts'
import { printBlame } from './blame.ts'
import { printCalibration } from './calibration.ts'
import { printDiff } from './changes.ts'
import { printCommit } from './commit.ts'
import { printComparison } from './comparison.ts'
import { donePrinters } from './done.ts'
import { printEpoch } from './epoch.ts'
import { printEvent } from './event.ts'
import { printGraph } from './graph.ts'
import { printIntents } from './intents.ts'
import { jsonText } from './json-text.ts'
import {
  printBlames,
  printCommits,
  printEpochs,
  printPlans,
  printRefs,
  printSpeculations,
  printTasks,
} from './listings.ts'
import type { Printer } from './show.ts'
import { printStoreReport } from './store-report.ts'
import { printGraphPicture, printSteps, printThread } from './threads.ts'
import { printTree } from './tree.ts'
import { printUndo } from './undo.ts'
import { printVerdict } from './verdict.ts'

const printValue: Printer = (result, { paint }) => jsonText(isRecord(result) ? result['value'] : result, paint)

const printText: Printer = result => (isRecord(result) ? String(result['text']) : '')

export const printers: Readonly<Record<string, Printer>> = {
  ...donePrinters,
  get: printValue,
  spec_get: printValue,
  get_tree: printTree,
  log: printCommits,
  query: printCommits,
  get_commit: printCommit,
  calibration: printCalibration,
  intent_tree: printIntents,
  memory_view: printText,
  get_graph: printGraphPicture,
  get_thread: printThread,
  run_thread: printThread,
  resume_thread: printThread,
  thread_history: printSteps,
  blame: printBlame,
  blame_tree: printBlames,
  history: printBlames,
  diff: printDiff,
  compare: printComparison,
  commit_graph: printGraph,
  list_branches: printRefs,
  list_tags: printRefs,
  list_specs: printSpeculations,
  list_epochs: printEpochs,
  create_epoch: printEpoch,
  seal_epoch: printEpoch,
  get_epoch: printEpoch,
  sign_epoch: printEpoch,
  archive_epoch: printEpoch,
  list_plans: printPlans,
  list_tasks: printTasks,
  verify: printStoreReport,
  verify_bundle: (result, { paint }) => printVerdict(result as Parameters<typeof printVerdict>[0], paint),
  undo: printUndo,
  watch: printEvent,
}

/** The printer of an operation. What it printed is escaped as a whole: a server may send text where a number is expected. */
export function printerOf(operation: string): Printer {
  const print = printers[operation] ?? printAny
  return (result, show) => visibleLines(print(result, show))
}
