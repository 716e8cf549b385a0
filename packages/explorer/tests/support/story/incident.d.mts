import type { Repository } from 'agentstategraph'

/** What happened at two in the morning. */
export function tellIncident(repo: Repository): Promise<void>
