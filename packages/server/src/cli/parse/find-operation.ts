/**
 * Loads one operation by name. A process that runs one command should not load graphs to read a value, so `commands.json` names
 * the module of each operation.
 */
import type { Operation } from '../../operations/operation.ts'

type OperationModule = Readonly<Record<string, unknown>>

/** The modules of operations, by file name. `table` has every operation and loads slower. */
export const operationModules: Readonly<Record<string, () => Promise<OperationModule>>> = {
  state: () => import('../../operations/state/state.ts'),
  browse: () => import('../../operations/state/browse.ts'),
  branches: () => import('../../operations/state/branches.ts'),
  merging: () => import('../../operations/state/merging.ts'),
  speculation: () => import('../../operations/state/speculation.ts'),
  history: () => import('../../operations/state/history.ts'),
  intents: () => import('../../operations/state/intents.ts'),
  journal: () => import('../../operations/store/journal.ts'),
  epochs: () => import('../../operations/store/epochs.ts'),
  evidence: () => import('../../operations/store/evidence.ts'),
  sessions: () => import('../../operations/access/sessions.ts'),
  'delegated-intents': () => import('../../operations/access/delegated-intents.ts'),
  principals: () => import('../../operations/access/principals.ts'),
  grants: () => import('../../operations/access/grants.ts'),
  access: () => import('../../operations/access/access.ts'),
  rules: () => import('../../operations/access/rules.ts'),
  proposals: () => import('../../operations/access/proposals.ts'),
  taints: () => import('../../operations/access/taints.ts'),
  plans: () => import('../../operations/plans/plans.ts'),
  tasks: () => import('../../operations/plans/tasks.ts'),
  'held-tasks': () => import('../../operations/plans/held-tasks.ts'),
  schemas: () => import('../../operations/store/schemas.ts'),
  migrations: () => import('../../operations/store/migrations.ts'),
  graphs: () => import('../../operations/agents/graphs.ts'),
  memory: () => import('../../operations/agents/memory.ts'),
  store: () => import('../../operations/store/store.ts'),
  namespaces: () => import('../../operations/store/namespaces.ts'),
  table: () => import('../../operations/table.ts'),
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
