/**
 * A memory as text, for a person or a prompt: what is in it, or what changed, newest first, within a budget of characters.
 *
 * Pending changes come before the commits, and removals are shown like any other change. Control characters are escaped, so
 * that a value can neither break a line nor steer a terminal.
 */

import { checkOptions, hexOfId, isStateError, optionsOf, type Stored } from '../../core/index.ts'
import { ancestry, assertReadsBranch, findBranchHead, type Handle, stateBefore } from '../../repo/index.ts'
import type { StoredCommit, Work } from '../../store/index.ts'
import { decrypted, diff, type Edit, edit, type Link, type StoredChange } from '../../tree/index.ts'
import { type Checkout, checkoutParts } from '../branch/checkout.ts'
import { Versioned, versionedParts } from '../branch/versioned.ts'
import { agentsIn, collect, sourceIn, type Workspace } from '../branch/workspace.ts'
import { storedText, valueText } from '../values/value-text.ts'
import { Live, liveParts } from './live.ts'

export interface ViewOptions {
  /** `recent`: what is pending and what the last commits changed. `full`: everything that is in memory. */
  focus?: 'recent' | 'full' | undefined
  /** How long the text may be. */
  maxChars?: number | undefined
}

const viewOptions = optionsOf<ViewOptions>('view', { focus: true, maxChars: true })

const DEFAULT_CHARACTERS = 4000
/** How much of the budget one value may take, so that the newest does not hide all the others. */
const VALUE_SHARE = 8
const SHORTEST_VALUE = 32

/** What is in memory and what changed, as text for a person or a prompt. */
export async function view(state: Live | Versioned | Checkout, options: ViewOptions = {}): Promise<string> {
  checkOptions(viewOptions, options)
  const { focus = 'recent', maxChars = DEFAULT_CHARACTERS } = options
  const paper = new Paper(maxChars)
  if (state instanceof Live) liveLines(state, paper)
  else if (state instanceof Versioned) await versionedLines(state, focus, paper)
  else await checkoutLines(state, focus, paper)
  return paper.text()
}

/** Lines until the budget is spent; then how many more there were. */
class Paper {
  readonly valueLength: number
  readonly #characters: number
  readonly #lines: string[] = []
  #left: number
  #more = 0

  constructor(characters: number) {
    this.#characters = characters
    this.#left = characters
    this.valueLength = Math.max(SHORTEST_VALUE, Math.floor(characters / VALUE_SHARE))
  }

  get isFull(): boolean {
    return this.#more > 0
  }

  add(line: string): void {
    // The line that says how many more there are needs its place too.
    const needed = line.length + 1
    if (this.#more > 0 || needed > this.#left - MORE_LENGTH) {
      this.#more++
      return
    }
    this.#left -= needed
    this.#lines.push(line)
  }

  text(): string {
    if (this.#more > 0) this.#lines.push(`… ${this.#more} more`)
    return this.#lines.join('\n').slice(0, this.#characters)
  }
}

const MORE_LENGTH = 16

function liveLines(live: Live, paper: Paper): void {
  for (const [agent, state] of liveParts(live).states) {
    paper.add(agent)
    for (const [key, value] of Object.entries(state)) paper.add(`  ${key} = ${valueText(value, paper.valueLength)}`)
  }
}

async function versionedLines(memory: Versioned, focus: 'recent' | 'full', paper: Paper): Promise<void> {
  const { handle, workspace, held, transients } = versionedParts(memory)
  const { journal } = handle
  await journal.run(assertReadsBranch(handle, handle.branch))
  for (const one of [workspace, ...held]) await pendingLines(one, paper)
  const head = await journal.run(findBranchHead(handle))
  if (head === undefined) paper.add('(nothing is kept yet)')
  else if (focus === 'full') await journal.run(stateLines(handle, head, paper))
  else await journal.run(commitLines(handle, head, paper, Number.POSITIVE_INFINITY))
  if (focus === 'recent') return
  for (const [agent, values] of transients) {
    for (const [key, value] of values) {
      paper.add(`${agent}.${key} = ${valueText(value, paper.valueLength)} (transient: in this process only)`)
    }
  }
}

async function checkoutLines(checkout: Checkout, focus: 'recent' | 'full', paper: Paper): Promise<void> {
  const { handle, commit } = checkoutParts(checkout)
  await handle.journal.run(focus === 'full' ? stateLines(handle, commit, paper) : commitLines(handle, commit, paper, 1))
}

async function pendingLines(workspace: Workspace, paper: Paper): Promise<void> {
  const { handle, base } = workspace
  const { context } = handle.journal
  let edits: readonly Edit[]
  try {
    edits = collect(workspace).flatMap(one => one.edits)
  } catch (error) {
    if (!isStateError(error, 'checkpoint-refused')) throw error
    paper.add(`pending, and cannot be kept: ${error.message}`)
    return
  }
  if (edits.length === 0) return
  const { root } = await handle.journal.run(edit(context, base.tree, edits))
  paper.add('pending')
  await handle.journal.run(changeLines(handle, base.tree, root, paper))
}

/** All that a state holds, agent by agent. */
function* stateLines(handle: Handle, commit: StoredCommit, paper: Paper): Work<void> {
  const base = { tree: commit.tree, commit, isCommit: true }
  for (const agent of yield* agentsIn(handle, commit.tree)) {
    paper.add(shownName(agent))
    const source = yield* sourceIn({ handle, base }, agent)
    for (const key of source.list()) {
      if (paper.isFull) paper.add('')
      else paper.add(`  ${shownName(key)} = ${storedText(source.find(key)!, paper.valueLength)}`)
    }
  }
}

function* commitLines(handle: Handle, head: StoredCommit, paper: Paper, most: number): Work<void> {
  const walk = ancestry(handle, [head.seq], true)
  for (let i = 0; i < most && !paper.isFull; i++) {
    const commit = yield* walk.next()
    if (commit === undefined) return
    const { record } = commit
    const when = new Date(record.time).toISOString()
    paper.add(`${hexOfId(commit.id).slice(0, 12)} ${when} ${shownName(record.intent.description)}`)
    yield* changeLines(handle, (yield* stateBefore(handle, commit)).tree, commit.tree, paper)
  }
}

function* changeLines({ journal: { context } }: Handle, before: Link, after: Link, paper: Paper): Work<void> {
  const show = (value: Stored): string => storedText(decrypted(context.encryption, value), paper.valueLength)
  for (const change of yield* diff(context, before, after)) paper.add(`  ${lineOf(change, show)}`)
}

function lineOf(change: StoredChange, show: (value: Stored) => string): string {
  const path = shownName(change.path)
  switch (change.op) {
    case 'add':
      return `+ ${path} = ${show(change.after)}`
    case 'remove':
      return `- ${path}, was ${show(change.before)}`
    case 'change':
      return `~ ${path}: ${show(change.before)} → ${show(change.after)}`
    case 'move':
      return `~ ${path} moved from ${shownName(change.from)}`
  }
}

function shownName(name: string): string {
  return valueText(name, Number.POSITIVE_INFINITY).slice(1, -1)
}
