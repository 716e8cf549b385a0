/**
 * The targets of a token: START and END, a Send, a batch of Sends, a Command.
 *
 * They have classes so that the answer of a route can be distinguished from an update. Whether a name is a node is not
 * checked here.
 */

import { checkOptions, optionsOf } from '../../core/index.ts'

/** Where every run begins: the source of the first edge. */
export const START = '__start__'
/** Where a branch ends. */
export const END = '__end__'
export type START = typeof START
export type END = typeof END

/** Runs a node once more, in parallel, with this payload over the shared state. */
export class Send<Name extends string = string, Payload = unknown> {
  readonly node: Name
  readonly state: Payload

  constructor(node: Name, state: Payload) {
    this.node = node
    this.state = state
    Object.freeze(this)
  }
}

/** Options of `batch`: the node at which its members join. */
export interface BatchOptions<Name extends string = string> {
  readonly join?: Name | undefined
}

const batchOptions = optionsOf<BatchOptions>('SendBatch', { join: true })

/** Several Sends and their join. Without a join, the nodes after the targets are the joins. */
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

/** What a `Command` is made of: an update, where to go on, and in which graph. */
export interface CommandParts<Name extends string, Update> {
  readonly update?: Update | undefined
  readonly goto?: Name | Send<Name> | readonly (Name | Send<Name>)[] | undefined
  readonly graph?: 'parent' | undefined
}

const commandOptions = optionsOf<CommandParts<string, unknown>>('Command', { update: true, goto: true, graph: true })

/** An update together with targets that replace the edges. */
export class Command<Name extends string = string, Update = unknown> {
  readonly update: Update | undefined
  /** Undefined when the edges decide. */
  readonly goto: readonly (Name | Send<Name>)[] | undefined
  /** `parent`: update and targets are for the parent graph. */
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
