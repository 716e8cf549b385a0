/** The table: every operation, in the order in which every surface shows them. */
import { accessOperations } from './access/access.ts'
import { delegatedIntentOperations } from './access/delegated-intents.ts'
import { grantOperations } from './access/grants.ts'
import { principalOperations } from './access/principals.ts'
import { proposalOperations } from './access/proposals.ts'
import { ruleOperations } from './access/rules.ts'
import { sessionOperations } from './access/sessions.ts'
import { taintOperations } from './access/taints.ts'
import { graphOperations } from './agents/graphs.ts'
import { memoryOperations } from './agents/memory.ts'
import type { Operation } from './operation.ts'
import { heldTaskOperations } from './plans/held-tasks.ts'
import { planOperations } from './plans/plans.ts'
import { taskOperations } from './plans/tasks.ts'
import { branchOperations } from './state/branches.ts'
import { browseOperations } from './state/browse.ts'
import { historyOperations } from './state/history.ts'
import { intentOperations } from './state/intents.ts'
import { mergingOperations } from './state/merging.ts'
import { speculationOperations } from './state/speculation.ts'
import { stateOperations } from './state/state.ts'
import { epochOperations } from './store/epochs.ts'
import { evidenceOperations } from './store/evidence.ts'
import { journalOperations } from './store/journal.ts'
import { migrationOperations } from './store/migrations.ts'
import { namespaceOperations } from './store/namespaces.ts'
import { schemaOperations } from './store/schemas.ts'
import { storeOperations } from './store/store.ts'

/** The table of operations. */
export const operations: readonly Operation[] = [
  ...stateOperations,
  ...browseOperations,
  ...branchOperations,
  ...mergingOperations,
  ...speculationOperations,
  ...historyOperations,
  ...intentOperations,
  ...journalOperations,
  ...epochOperations,
  ...evidenceOperations,
  ...sessionOperations,
  ...delegatedIntentOperations,
  ...principalOperations,
  ...grantOperations,
  ...accessOperations,
  ...ruleOperations,
  ...proposalOperations,
  ...taintOperations,
  ...planOperations,
  ...taskOperations,
  ...heldTaskOperations,
  ...schemaOperations,
  ...migrationOperations,
  ...graphOperations,
  ...memoryOperations,
  ...storeOperations,
  ...namespaceOperations,
]
