/**
 * Installs the official MCP conformance suite and the Inspector, inside packages/server/conformance/, and runs them against our
 * server. Nothing else needs them, so nothing else installs them.
 */
import { install } from './toolchain/install.mjs'
import { root, runNode } from './tools.mjs'

const folder = `${root}packages/server/conformance`

install(folder)
if (!runNode(['scripts/build.mjs', 'packages/server']) || !runNode([`${folder}/run.mjs`])) process.exit(1)
