/**
 * Writes docs/clients.md: which client has what.
 *
 * Each client says it in its `client.json`: for each feature the test that shows it, as `file: words of its title`. A feature without a test is not in
 * the table.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../tools.mjs'

const folder = join(root, 'clients')

/** The features, in the order of the table. */
export const features = {
  operations: 'every operation by its name',
  methods: 'the operations as typed methods',
  memory: 'a store in memory, a file, several at once',
  server: 'a running server, with a key',
  types: 'values of the language in and, with a type, out',
  errors: 'errors by code, with data and hint',
  listings: 'listings that page by themselves',
  transaction: 'several changes in one commit, read inside before it is made',
  watch: 'watching, continued when the core dies',
  async: 'an event loop, many calls at once',
  threads: 'one store used by many threads',
  death: 'a killed core: each write once, or its outcome is unknown',
  fork: 'forked processes',
  interrupt: 'an interrupted or cancelled call leaves the client usable',
  exit: 'the end of the program leaves no process',
  page: 'a page whose programs are run',
}

/** The clients that there are, with their features. */
export function readClients() {
  return readdirSync(folder)
    .map(name => join(folder, name, 'client.json'))
    .filter(file => statSync(file, { throwIfNoEntry: false }) !== undefined)
    .map(file => ({ ...JSON.parse(readFileSync(file, 'utf8')), folder: join(file, '..') }))
}

/** What a client claims wrongly: features that are not in the table, and tests that are not there. */
export function falseClaims({ folder, shown }) {
  return Object.entries(shown).flatMap(([feature, test]) => {
    if (!(feature in features)) return [`${feature} is no feature`]
    const [file, ...title] = test.split(': ')
    const text = readFileSync(join(folder, file), 'utf8')
    return text.includes(title.join(': ')) ? [] : [`${file} has no test "${title.join(': ')}"`]
  })
}

export function clientsPage() {
  const clients = readClients()
  const row = cells => `| ${cells.join(' | ')} |`
  const lines = [
    '# Clients in other languages',
    '',
    'They start the core as a child process ([rpc](rpc.md)), or talk to a running server; none reads or writes the format. A test generates this',
    'table from `clients/*/client.json`, which name the test that shows each feature. `node scripts/clients/table.mjs` writes it.',
    '',
    row(['', ...clients.map(({ name, page }) => `[${name}](${page})`)]),
    row(['---', ...clients.map(() => '---')]),
    ...Object.entries(features).map(([feature, words]) =>
      row([words, ...clients.map(({ shown }) => (feature in shown ? 'yes' : ''))]),
    ),
    '',
    'All of them together, with TypeScript, write to one file and to one server at once, and play the same thirty calls with the same roots:',
    '`node scripts/clients.mjs`, which `npm test` runs.',
    '',
  ]
  return lines.join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(join(root, 'docs/clients.md'), clientsPage())
