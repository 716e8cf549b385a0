/** The errors of graphs and their runs. */

import { type ErrorMaker, errorsOf, type SchemaIssue } from '../core/index.ts'
import type {} from '../repository/errors.ts'
import type { Interrupt } from './model/run-protocol.ts'

/** A fault of a graph. */
export interface GraphFault {
  readonly code: string
  readonly node?: string | undefined
  readonly detail: string
}

/** A fault in a value of a state: the field, the path and a message. */
export interface FieldIssue {
  readonly field: string
  readonly path: string
  readonly message: string
}

/** What each error code of graphs carries. */
export interface GraphErrors {
  'graph-invalid': { readonly faults: readonly GraphFault[] }
  'input-invalid': { readonly issues: readonly FieldIssue[] }
  'context-invalid': { readonly issues: readonly FieldIssue[] }
  'output-invalid': { readonly issues: readonly FieldIssue[] }
  'update-invalid': { readonly node: string; readonly issues: readonly FieldIssue[] }
  'reducer-failed': { readonly field: string; readonly node: string; readonly reducer: string; readonly reason: string }
  'state-frozen': { readonly node: string; readonly path: string; readonly reason: string }
  'update-conflict': { readonly field: string; readonly nodes: readonly string[] }
  'route-unknown': { readonly node: string; readonly target: string; readonly known: readonly string[] }
  'target-undeclared': { readonly node: string; readonly target: string }
  'node-unknown': { readonly node: string; readonly known: readonly string[] }
  'update-ambiguous': { readonly node: string; readonly waiting: number }
  'route-empty': { readonly node: string; readonly joins: readonly string[] }
  'send-invalid': { readonly node: string; readonly issues: readonly SchemaIssue[] }
  'parent-missing': { readonly node: string }
  'once-repeated': { readonly node: string; readonly name: string }
  'node-timeout': { readonly node: string; readonly attempt: number; readonly timeoutMs: number }
  'attempt-over': { readonly node: string; readonly attempt: number }
  'member-discarded': { readonly from: string }
  'answer-invalid': { readonly interrupt: string; readonly reason: string }
  'answer-malformed': { readonly given: string }
  'answer-ambiguous': { readonly pending: readonly string[] }
  'interrupt-unknown': { readonly interrupt: string | undefined; readonly pending: readonly string[] }
  'run-step-limit': { readonly maxSteps: number; readonly node: string; readonly state: unknown }
  'run-aborted': { readonly reason: string }
  'run-async': { readonly what: string }
  'run-options-invalid': { readonly faults: readonly string[]; readonly known: readonly string[] }
  'run-busy': { readonly thread: string }
  'run-paused': { readonly thread: string | undefined; readonly interrupts: readonly Interrupt[] }
  'thread-not-found': { readonly thread: string; readonly graph: string }
  'thread-outdated': {
    readonly thread: string
    readonly graph: string
    readonly node: string
    readonly reason: string
    readonly version: string
    readonly leftBy: string | undefined
  }
  'thread-incomplete': {
    readonly thread: string
    readonly graph: string
    readonly fields: readonly string[]
    readonly version: string
  }
  'thread-exists': { readonly thread: string }
  'step-not-found': { readonly thread: string; readonly from: string }
}

declare module '../repository/errors.ts' {
  interface StateErrorData extends GraphErrors {}
}

export const graphError: ErrorMaker<GraphErrors> = errorsOf<GraphErrors>({
  'graph-invalid': ({ faults }) => [
    `The graph has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}: ${faults.map(({ detail }) => detail).join(' ')}`,
    'Nothing was run. Correct where it is defined.',
  ],
  'input-invalid': ({ issues }) => [
    `The input does not fit the state: ${issuesText(issues)}`,
    'An input has fields of the state and no others; a field that it does not give needs a default.',
  ],
  'context-invalid': ({ issues }) => [
    `The context does not fit its schema: ${issuesText(issues)}`,
    'Give it with the run, as { context }.',
  ],
  'output-invalid': ({ issues }) => [
    `The final state does not fit the schema of the output: ${issuesText(issues)}`,
    'Give the fields defaults, or let a node write them before the end.',
  ],
  'update-invalid': ({ node, issues }) => [
    `The update of ${node} cannot be applied: ${issuesText(issues)}`,
    'A node returns an object with some of the fields of the state, each as its schema accepts it, or nothing.',
  ],
  'reducer-failed': ({ field, node, reducer, reason }) => [
    `The reducer of '${field}' (${reducer}) cannot apply what ${node} returned: ${reason}`,
    `Return what the reducer takes, or give '${field}' another one. The state is as it was before ${node}.`,
  ],
  'state-frozen': ({ node, path, reason }) => [
    `${node} wrote to the state at ${path}: ${reason}`,
    'A state is shared and never changes: return the new value from the node, or give the node mutable: true.',
  ],
  'update-conflict': ({ field, nodes }) => [
    `${listText(nodes)} wrote different values to '${field}' in one fork group.`,
    `Give '${field}' a reducer that combines them, or let only one of them write it.`,
  ],
  'route-unknown': ({ node, target, known }) => [
    `${node} leads to '${target}', which is not a node of the graph.`,
    `Its nodes are ${listText(known)}.`,
  ],
  'target-undeclared': ({ node, target }) => [
    `${node} leads to '${target}', which its declared targets do not name, and '${target}' or a node behind it ran in another branch before.`,
    `Name '${target}' in the goto option of ${node} or in the targets of its conditional edge, so that the branches wait for each other there.`,
  ],
  'node-unknown': ({ node, known }) => [
    `There is no node '${node}' that the thread could be updated as.`,
    `Its nodes are ${listText(known)}.`,
  ],
  'update-ambiguous': ({ node, waiting }) => [
    `${waiting} tasks of ${node} wait, and an update as ${node} could stand for any of them.`,
    'Answer their interrupts by id, or resume the failed ones.',
  ],
  'route-empty': ({ node, joins }) => [
    `The route of ${node} returned no target, and the node to continue with is ambiguous: ${listText(joins)}.`,
    'Name the targets of the conditional edge, or return a SendBatch with its join.',
  ],
  'send-invalid': ({ node, issues }) => [
    `The payload of a Send to ${node} is refused: ${issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join(' ')}`,
    'A payload is an object that lies over the state, and fits the input schema of its node if that has one.',
  ],
  'parent-missing': ({ node }) => [
    `${node} returned a Command for the parent graph, but its graph is no node of another one.`,
    "Leave out graph: 'parent', or add the graph to another one with addNode.",
  ],
  'once-repeated': ({ node, name }) => [
    `${node} ran once('${name}') twice in one attempt.`,
    'Give each effect of a node a name of its own, in a loop with the index or an id in it.',
  ],
  'node-timeout': ({ node, attempt, timeoutMs }) => [
    `${node} (attempt ${attempt}) took longer than ${timeoutMs} ms.`,
    'Raise timeoutMs, give the node a retry, or give it an onError. Nothing of the attempt is kept.',
  ],
  'attempt-over': ({ node, attempt }) => [
    `Attempt ${attempt} of ${node} is over: what it does now is refused.`,
    'Stop work when ctx.signal aborts.',
  ],
  'member-discarded': ({ from }) => [
    `The join after ${from} needs no more of its branches, so this one was cancelled.`,
    'Stop work when ctx.signal aborts.',
  ],
  'answer-invalid': ({ interrupt, reason }) => [
    `The answer to interrupt ${interrupt} is refused: ${reason}`,
    'The thread still waits for an answer.',
  ],
  'answer-malformed': ({ given }) => [
    `${given} is no answer: an answer is an object with a value.`,
    'Resume with { value }, and with { id, value } where several interrupts wait.',
  ],
  'answer-ambiguous': ({ pending }) => [
    `An answer does not say which of ${pending.length} interrupts it is for.`,
    `Answer each by its id: ${listText(pending)}.`,
  ],
  'interrupt-unknown': ({ interrupt, pending }) => [
    interrupt === undefined
      ? 'An answer was given, and no interrupt waits for one.'
      : `Interrupt ${interrupt} does not wait for an answer.`,
    pending.length === 0 ? 'Resume without answers.' : `Pending interrupts: ${listText(pending)}.`,
  ],
  'run-step-limit': ({ maxSteps, node }) => [
    `The run took ${maxSteps} steps without an end; the next would be ${node}.`,
    'If the graph is not in an endless loop, raise maxSteps. A thread can be resumed from here.',
  ],
  'run-aborted': ({ reason }) => [
    `The run was stopped: ${reason}`,
    'What had finished is kept; a thread can be resumed.',
  ],
  'run-options-invalid': ({ faults, known }) => [
    `The options of the run are not valid: ${faults.join(' ')}`,
    `The options are ${listText(known)}.`,
  ],
  'run-async': ({ what }) => [`runSync cannot wait, but ${what}.`, 'Use run.'],
  'run-busy': ({ thread }) => [
    `Thread ${thread} is held by another run.`,
    "Wait for it, or run with whenBusy: 'queue' or 'merge'. If its process has ended, resume takes the thread over.",
  ],
  'run-paused': ({ thread, interrupts }) => [
    `The run waits for ${interrupts.length === 1 ? 'an answer' : `${interrupts.length} answers`}: ${listText(interrupts.map(({ node }) => node))}.`,
    thread === undefined
      ? 'Run it on a thread of the app: app.thread(id).run(input), then resume with the answer.'
      : `Resume its thread with the answer: app.thread('${thread}').resume({ value }).`,
  ],
  'thread-not-found': ({ thread, graph }) => [
    `There is no thread ${thread} of the graph ${graph}.`,
    'A thread begins with its first run. Graphs that share a repository have their own threads, by the name they were compiled with.',
  ],
  'thread-outdated': ({ thread, graph, node, reason, version, leftBy }) => [
    `Thread ${thread} cannot resume at ${node}: ${reason}. It was left by ${leftBy === undefined ? 'another version' : `version ${leftBy}`} of the graph ${graph}; this is version ${version}.`,
    `Compile the earlier graph to finish the thread, or choose a node of this version to continue after: thread.update(update, { as }).`,
  ],
  'thread-incomplete': ({ thread, graph, fields, version }) => [
    `Thread ${thread} has no ${listText(fields.map(field => `'${field}'`))}, which version ${version} of the graph ${graph} requires.`,
    'Give the field a default, or set it: with thread.update before the thread is resumed, or with the input of a run.',
  ],
  'thread-exists': ({ thread }) => [`There is a thread ${thread} already.`, 'Choose another id, or delete it first.'],
  'step-not-found': ({ thread, from }) => [
    `${from} is no commit of the thread ${thread}.`,
    'Take it from the history of the thread: each of its states has its commit.',
  ],
})

/** A thrown value as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`${String(thrown)} was thrown`, { cause: thrown })
}

function issuesText(issues: readonly FieldIssue[]): string {
  return issues.map(({ path, message }) => `${path}: ${/[.?!]$/.test(message) ? message : `${message}.`}`).join(' ')
}

function listText(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
