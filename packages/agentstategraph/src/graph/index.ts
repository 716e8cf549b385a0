/** Typed control flow whose every step is a commit. */

export type { DeepReadonly } from '../core/index.ts'
export type { App, CompileOptions, GraphPicture, PictureEdge, PictureNode } from './app-types.ts'
export type { CompiledGraph, DeepWritable, GraphTypes, Types } from './define/graph-types.ts'
export type { NodeContext } from './define/node-context.ts'
export type { CacheOptions, DefaultOptions, JoinRule, NodeOptions, RetryOptions } from './define/node-options.ts'
export type { NodeAgent, NodeFunction, NodeObject, Returns } from './define/node-types.ts'
export type { InputFor, ReducerFor, Reducers, RemoveMessage, UpdateFor } from './define/reducer-types.ts'
export {
  type Route,
  type RouteTarget,
  StateGraph,
  type StateGraphConstructor,
  type StateOf,
  type UpdateOf,
} from './define/state-graph.ts'
export type { FieldIssue, GraphErrors, GraphFault } from './errors.ts'
export type { Interrupt } from './record.ts'
export { type BatchOptions, Command, type CommandParts, END, Send, SendBatch, START } from './targets.ts'
export type { EventKind, EventOf, GraphEvent, Progress } from './thread/event-types.ts'
export type { Run, RunOptions } from './thread/run-types.ts'
export type { ThreadFilter } from './thread/thread-listing.ts'
export type {
  Answer,
  FailedTask,
  ForkOptions,
  Thread,
  ThreadHistoryOptions,
  ThreadRunOptions,
  ThreadState,
  UpdateOptions,
} from './thread/thread-types.ts'
