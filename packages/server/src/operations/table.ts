/** The table: every operation, in the order in which every surface shows them. */
import { accessOperations } from './access.ts'
import { branchOperations } from './branches.ts'
import { delegatedIntentOperations } from './delegated-intents.ts'
import { epochOperations } from './epochs.ts'
import { evidenceOperations } from './evidence.ts'
import { grantOperations } from './grants.ts'
import { graphOperations } from './graphs.ts'
import { heldTaskOperations } from './held-tasks.ts'
import { historyOperations } from './history.ts'
import { intentOperations } from './intents.ts'
import { journalOperations } from './journal.ts'
import { lookingOperations } from './looking.ts'
import { memoryOperations } from './memory.ts'
import { mergingOperations } from './merging.ts'
import { migrationOperations } from './migrations.ts'
import { namespaceOperations } from './namespaces.ts'
import type { Operation } from './operation.ts'
import { planOperations } from './plans.ts'
import { principalOperations } from './principals.ts'
import { proposalOperations } from './proposals.ts'
import { ruleOperations } from './rules.ts'
import { schemaOperations } from './schemas.ts'
import { sessionOperations } from './sessions.ts'
import { speculationOperations } from './speculation.ts'
import { stateOperations } from './state.ts'
import { storeOperations } from './store.ts'
import { taintOperations } from './taints.ts'
import { taskOperations } from './tasks.ts'

export const operations: readonly Operation[] = [
  ...stateOperations,
  ...lookingOperations,
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
