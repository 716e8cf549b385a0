/**
 * Installs what only a release needs, inside release/, and makes or tries one.
 *
 * Install scripts are off: none of the tools there needs one.
 */
import { install } from './toolchain/install.mjs'
import { root, runNode } from './tools.mjs'

install(`${root}release`, ['--ignore-scripts'])
if (!runNode([`${root}release/run.mjs`, ...process.argv.slice(2)])) process.exit(1)
