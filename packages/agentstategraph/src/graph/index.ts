/** Typed control flow in which every step is a commit. */

export type { DeepReadonly } from '../core/index.ts'
export type { App, CompileOptions, GraphPicture, PictureEdge, PictureNode } from './app/public-types.ts'
export {
  type Route,
  type RouteTarget,
  StateGraph,
  type StateGraphConstructor,
  type StateOf,
  type UpdateOf,
} from './app/state-graph.ts'
export type { InputFor, ReducerFor, Reducers, RemoveMessage, UpdateFor } from './define/reducer-types.ts'
export type { FieldIssue, GraphErrors, GraphFault } from './errors.ts'
export type { EventKind, EventOf, GraphEvent, Progress } from './model/event-types.ts'
export type { CompiledGraph, DeepWritable, GraphTypes, Types } from './model/graph-types.ts'
export type { NodeContext } from './model/node-context.ts'
export type { CacheOptions, DefaultOptions, JoinRule, NodeOptions, RetryOptions } from './model/node-options.ts'
export type { NodeAgent, NodeFunction, NodeObject, Returns } from './model/node-types.ts'
export type { Interrupt } from './model/run-protocol.ts'
export type { Run, RunOptions } from './model/run-types.ts'
export { type BatchOptions, Command, type CommandParts, END, Send, SendBatch, START } from './model/targets.ts'
export type { ThreadFilter } from './thread/listing.ts'
export type {
  Answer,
  FailedTask,
  ForkOptions,
  Thread,
  ThreadEventsOptions,
  ThreadHistoryOptions,
  ThreadRunOptions,
  ThreadState,
  UpdateOptions,
} from './thread/state/public-types.ts'
