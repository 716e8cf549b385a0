/**
 * One operation of the table, by its name, loaded with as little else as can be: a process that lives for one command should not
 * load graphs to read a value. `commands.json` says which module has it.
 */
import type { Operation } from '../operations/operation.ts'

type OperationModule = Readonly<Record<string, unknown>>

/** The modules that commands are loaded from, by file name. `table` has every operation, and is slower. */
export const operationModules: Readonly<Record<string, () => Promise<OperationModule>>> = {
  state: () => import('../operations/state.ts'),
  looking: () => import('../operations/looking.ts'),
  branches: () => import('../operations/branches.ts'),
  merging: () => import('../operations/merging.ts'),
  speculation: () => import('../operations/speculation.ts'),
  history: () => import('../operations/history.ts'),
  intents: () => import('../operations/intents.ts'),
  journal: () => import('../operations/journal.ts'),
  epochs: () => import('../operations/epochs.ts'),
  evidence: () => import('../operations/evidence.ts'),
  sessions: () => import('../operations/sessions.ts'),
  'delegated-intents': () => import('../operations/delegated-intents.ts'),
  principals: () => import('../operations/principals.ts'),
  grants: () => import('../operations/grants.ts'),
  access: () => import('../operations/access.ts'),
  rules: () => import('../operations/rules.ts'),
  proposals: () => import('../operations/proposals.ts'),
  taints: () => import('../operations/taints.ts'),
  plans: () => import('../operations/plans.ts'),
  tasks: () => import('../operations/tasks.ts'),
  'held-tasks': () => import('../operations/held-tasks.ts'),
  schemas: () => import('../operations/schemas.ts'),
  migrations: () => import('../operations/migrations.ts'),
  graphs: () => import('../operations/graphs.ts'),
  memory: () => import('../operations/memory.ts'),
  store: () => import('../operations/store.ts'),
  namespaces: () => import('../operations/namespaces.ts'),
  table: () => import('../operations/table.ts'),
}

export function operationsIn(module: OperationModule): readonly Operation[] {
  return Object.entries(module).flatMap(([name, value]) => (/[oO]perations$/.test(name) ? (value as Operation[]) : []))
}

export async function findOperation(name: string, module: string): Promise<Operation> {
  const load = operationModules[module]
  const found = load && operationsIn(await load()).find(operation => operation.name === name)
  if (!found) throw new Error(`commands.json names ${name} of ${module}, which is not in the table of operations`)
  return found
}
