/** Makes the site of the pages in scripts/site/dist. What only the site needs is installed inside scripts/site, once. */
import { install } from './toolchain/install.mjs'
import { root, runNode } from './tools.mjs'

const folder = `${root}scripts/site`
install(folder, ['--ignore-scripts'])
if (!runNode([`${folder}/node_modules/vitepress/bin/vitepress.js`, 'build', folder])) process.exit(1)
