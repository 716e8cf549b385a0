/** An agent's memory around its tasks. */

export type { DeepReadonly } from '../core/index.ts'
export {
  type Agent,
  type AgentOptions,
  agent,
  type Task,
  type TaskCall,
  type TaskOptions,
  type Unstorable,
  type VersionedFor,
} from './agent.ts'
export type { Remembering } from './agent-definition.ts'
export type { Checkout } from './checkout.ts'
export type { MemoryErrors, MemoryRefusal } from './errors.ts'
export { type EventFilter, events } from './event-list.ts'
export type { EventPlace, MemoryEvent, TaskEvent, ToldEvent } from './events.ts'
export { Live } from './live.ts'
export type { TaskContext } from './task-context.ts'
export { Versioned, type VersionedOptions } from './versioned.ts'
export { type ViewOptions, view } from './view.ts'
