/** Typed control flow whose every step is a commit. */

export type { App, CompileOptions, GraphPicture, PictureEdge, PictureNode } from './app-types.ts'
export type { FieldIssue, GraphErrors, GraphFault } from './errors.ts'
export type { EventKind, EventOf, GraphEvent, Progress } from './event-types.ts'
export type { CompiledGraph, DeepReadonly, DeepWritable, GraphTypes, Types } from './graph-types.ts'
export type { NodeContext } from './node-context.ts'
export type { CacheOptions, DefaultOptions, JoinRule, NodeOptions, RetryOptions } from './node-options.ts'
export type { NodeAgent, NodeFunction, NodeObject, Returns } from './node-types.ts'
export type { Interrupt } from './record.ts'
export type { InputFor, ReducerFor, Reducers, RemoveMessage, UpdateFor } from './reducer-types.ts'
export type { Run, RunOptions } from './run-types.ts'
export {
  type Route,
  type RouteTarget,
  StateGraph,
  type StateGraphConstructor,
  type StateOf,
  type UpdateOf,
} from './state-graph.ts'
export { Command, END, Send, SendBatch, START } from './targets.ts'
export type { Answer, Thread, ThreadRunOptions, ThreadState } from './thread-types.ts'
