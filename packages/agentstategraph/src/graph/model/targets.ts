/**
 * Where a token can be told to go: the two ends of a graph, a Send, a batch of them, a Command.
 *
 * They are plain data with a class, so that a route's answer can be told from an update. Whether a name is a node is not
 * known here.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'

/** Where every run begins: the source of the first edge. */
export const START = '__start__'
/** Where a branch ends. */
export const END = '__end__'
export type START = typeof START
export type END = typeof END

/** Runs a node once more, in parallel, on this state laid over the shared one. */
export class Send<Name extends string = string, Payload = unknown> {
  readonly node: Name
  readonly state: Payload

  constructor(node: Name, state: Payload) {
    this.node = node
    this.state = state
    Object.freeze(this)
  }
}

export interface BatchOptions<Name extends string = string> {
  readonly join?: Name | undefined
}

const batchOptions = optionsOf<BatchOptions>('SendBatch', { join: true })

/** Several Sends and the node that sees all their results; without one, the nodes that the sent ones lead to do. */
export class SendBatch<Name extends string = string> {
  readonly sends: readonly Send<Name>[]
  readonly join: Name | undefined

  constructor(sends: readonly Send<Name>[], options: BatchOptions<Name> = {}) {
    checkOptions(batchOptions, options)
    this.sends = Object.freeze([...sends])
    this.join = options.join
    Object.freeze(this)
  }
}

export interface CommandParts<Name extends string, Update> {
  readonly update?: Update | undefined
  readonly goto?: Name | Send<Name> | readonly (Name | Send<Name>)[] | undefined
  readonly graph?: 'parent' | undefined
}

const commandOptions = optionsOf<CommandParts<string, unknown>>('Command', { update: true, goto: true, graph: true })

/** An update together with where to go next, instead of the edges. */
export class Command<Name extends string = string, Update = unknown> {
  readonly update: Update | undefined
  /** Undefined when the edges decide, as they do without a command. */
  readonly goto: readonly (Name | Send<Name>)[] | undefined
  /** `parent`: the update and the way are those of the graph around this one. */
  readonly graph: 'parent' | undefined

  constructor(command: CommandParts<Name, Update>) {
    checkOptions(commandOptions, command as CommandParts<string, unknown>)
    this.update = command.update
    this.goto = command.goto === undefined ? undefined : Object.freeze(listOf(command.goto))
    this.graph = command.graph
    Object.freeze(this)
  }
}

function listOf<Name extends string>(
  goto: Name | Send<Name> | readonly (Name | Send<Name>)[],
): readonly (Name | Send<Name>)[] {
  return typeof goto === 'string' || goto instanceof Send ? [goto] : [...goto]
}
