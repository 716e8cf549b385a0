/**
 * Installs what only the benchmarks need, inside bench/, and runs them.
 *
 * Install scripts are off: the one native package there would start a
 * compiler, and no benchmark depends on it.
 */
import { install } from './toolchain/install.mjs'
import { root, runNode } from './tools.mjs'

install(`${root}bench`, ['--ignore-scripts'])
if (!runNode([`${root}bench/run.mjs`, ...process.argv.slice(2)])) process.exit(1)
