/**
 * Installs the official MCP conformance suite and the Inspector, inside packages/server/conformance/, and runs them against our
 * server. Nothing else needs them, so nothing else installs them.
 */
import { install } from './install.mjs'
import { root, runNode, runTool } from './tools.mjs'

const folder = `${root}packages/server/conformance`

install(folder)
if (!runTool('tsc', ['-b', 'packages/server']) || !runNode([`${folder}/run.mjs`])) process.exit(1)
