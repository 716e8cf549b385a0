/** An agent's memory around its tasks. */

export type { DeepReadonly } from '../core/index.ts'
export type { Checkout } from './branch/checkout.ts'
export { Versioned, type VersionedOptions } from './branch/versioned.ts'
export type { MemoryErrors, MemoryRefusal } from './errors.ts'
export type { EventContent, EventPlace, MemoryEvent, TaskEvent } from './events/events.ts'
export type { Remembering } from './state/agent-definition.ts'
export {
  type Agent,
  type AgentOptions,
  agent,
  type Task,
  type TaskCall,
  type TaskOptions,
  type Unstorable,
  type VersionedFor,
} from './task/agent.ts'
export { type EventFilter, events } from './task/event-list.ts'
export { Live } from './task/live.ts'
export type { TaskContext } from './task/run-task.ts'
export { type ViewOptions, view } from './task/view.ts'
