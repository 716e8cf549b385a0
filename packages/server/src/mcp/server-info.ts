/** What this server calls itself. */
import { packageVersion } from '../host/package-file.ts'

export const serverInfo = { name: 'agentstategraph', title: 'AgentStateGraph', version: packageVersion() }
