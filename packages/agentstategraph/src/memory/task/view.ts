/**
 * Renders a memory as text for a person or a prompt: its content, or its changes, newest first, within a budget.
 *
 * Pending changes come before the commits. Control characters are escaped, so that a value can neither break a line nor
 * control a terminal.
 */

import { checkOptions, hexOfId, isStateError, optionsOf, type Stored } from '../../core/index.ts'
import { ancestry, assertReadsBranch, findBranchHead, type Handle, stateBefore } from '../../repo/index.ts'
import { pausePoint, type StoredCommit, type Work } from '../../store/index.ts'
import { decrypted, diff, type Edit, edit, type Link, type StoredChange } from '../../tree/index.ts'
import { type Checkout, checkoutParts } from '../branch/checkout.ts'
import { Versioned, versionedParts } from '../branch/versioned.ts'
import { agentsIn, collect, keysAt, storedAt, type Workspace } from '../branch/workspace.ts'
import { storedText, valueText } from '../values/value-text.ts'
import { Live, liveParts } from './live.ts'

/** Options of `view`. */
export interface ViewOptions {
  /** `recent`: pending changes and those of the last commits. `full`: all of the memory. */
  focus?: 'recent' | 'full' | undefined
  /** The longest text, in characters. */
  maxChars?: number | undefined
}

const viewOptions = optionsOf<ViewOptions>('view', { focus: true, maxChars: true })

const DEFAULT_CHARACTERS = 4000
/** One value takes at most this part of the budget, so that a long one does not hide all others. */
const VALUE_SHARE = 8
const SHORTEST_VALUE = 32

/** The content or the changes of a memory, as text for a person or a prompt. */
export async function view(state: Live | Versioned | Checkout, options: ViewOptions = {}): Promise<string> {
  checkOptions(viewOptions, options)
  const { focus = 'recent', maxChars = DEFAULT_CHARACTERS } = options
  const lines = new Lines(maxChars)
  if (state instanceof Live) liveLines(state, lines)
  else if (state instanceof Versioned) await versionedLines(state, focus, lines)
  else await checkoutLines(state, focus, lines)
  return lines.text()
}

/** Collects lines until the budget is spent, then counts the rest. */
class Lines {
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
    // The last line, which counts the rest, needs room too.
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

function liveLines(live: Live, lines: Lines): void {
  for (const [agent, state] of liveParts(live).states) {
    lines.add(agent)
    for (const [key, value] of Object.entries(state)) lines.add(`  ${key} = ${valueText(value, lines.valueLength)}`)
  }
}

async function versionedLines(memory: Versioned, focus: 'recent' | 'full', lines: Lines): Promise<void> {
  const { handle, workspace, held, transients } = versionedParts(memory)
  const { journal } = handle
  await journal.run(assertReadsBranch(handle, handle.branch))
  for (const one of [workspace, ...held]) await pendingLines(one, lines)
  const head = await journal.run(findBranchHead(handle))
  if (head === undefined) lines.add('(nothing is kept yet)')
  else if (focus === 'full') await journal.run(stateLines(handle, head, lines))
  else await journal.run(commitLines(handle, head, lines, Number.POSITIVE_INFINITY))
  if (focus === 'recent') return
  for (const [agent, values] of transients) {
    for (const [key, value] of values) {
      lines.add(`${agent}.${key} = ${valueText(value, lines.valueLength)} (transient: in this process only)`)
    }
  }
}

async function checkoutLines(checkout: Checkout, focus: 'recent' | 'full', lines: Lines): Promise<void> {
  const { handle, commit } = checkoutParts(checkout)
  await handle.journal.run(focus === 'full' ? stateLines(handle, commit, lines) : commitLines(handle, commit, lines, 1))
}

async function pendingLines(workspace: Workspace, lines: Lines): Promise<void> {
  const { handle, base } = workspace
  const { context } = handle.journal
  let edits: readonly Edit[]
  try {
    edits = collect(workspace).flatMap(one => one.edits)
  } catch (error) {
    if (!isStateError(error, 'checkpoint-refused')) throw error
    lines.add(`pending, and cannot be kept: ${error.message}`)
    return
  }
  if (edits.length === 0) return
  const { root } = await handle.journal.run(edit(context, base.tree, edits))
  lines.add('pending')
  await handle.journal.run(changeLines(handle, base.tree, root, lines))
}

/** The content of a state, agent by agent. */
function* stateLines(handle: Handle, commit: StoredCommit, lines: Lines): Work<void> {
  for (const agent of yield* agentsIn(handle, commit.tree)) {
    lines.add(shownName(agent))
    for (const key of yield* keysAt(handle, commit.tree, agent)) {
      if (lines.isFull) {
        lines.add('')
        continue
      }
      yield pausePoint
      const value = (yield* storedAt(handle, commit.tree, [agent, key]))!
      lines.add(`  ${shownName(key)} = ${storedText(value, lines.valueLength)}`)
    }
  }
}

function* commitLines(handle: Handle, head: StoredCommit, lines: Lines, most: number): Work<void> {
  const walk = ancestry(handle, [head.seq], true)
  for (let i = 0; i < most && !lines.isFull; i++) {
    const commit = yield* walk.next()
    if (commit === undefined) return
    const { record } = commit
    const when = new Date(record.time).toISOString()
    lines.add(`${hexOfId(commit.id).slice(0, 12)} ${when} ${shownName(record.intent.description)}`)
    yield* changeLines(handle, (yield* stateBefore(handle, commit)).tree, commit.tree, lines)
  }
}

function* changeLines({ journal: { context } }: Handle, before: Link, after: Link, lines: Lines): Work<void> {
  const show = (value: Stored): string => storedText(decrypted(context.encryption, value), lines.valueLength)
  for (const change of yield* diff(context, before, after)) lines.add(`  ${lineOf(change, show)}`)
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
