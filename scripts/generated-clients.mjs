/**
 * Makes clients in TypeScript and in Python from the OpenAPI description that a server sends, and runs one flow through each.
 *
 * The generators belong to others and come from the registries: from npm by the lock file in generated-clients/, from pip into
 * an environment of its own. They and what they made of a description are kept in node_modules/.cache. Where Python or a
 * registry is missing it says what is skipped, which CI does not accept.
 */
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { tryInstall } from './toolchain/install.mjs'
import { root } from './tools.mjs'

const own = join(root, 'scripts/generated-clients')
const cache = join(root, 'node_modules/.cache/generated-clients')
const token = 'key-of-the-generated-clients-0123456789abcdef'

/** Tells whether both clients ran the flow, or why they could not be made here. */
export async function checkGeneratedClients() {
  const failed = tryInstall(own, ['--ignore-scripts'])
  if (failed !== undefined) return isSkipped('generated clients', failed.remedy)
  const python = findPython()
  if (python === undefined && !isSkipped('the generated client in Python', 'python3 with venv and pip is needed'))
    return false
  const made = await served(async url => makeClients(await (await fetch(`${url}/openapi.json`)).text(), python))
  if (made === undefined) return false
  const plays = [[process.execPath, join(made, 'flow.js')]]
  if (python !== undefined) plays.push([join(python, 'bin/python'), join(made, 'flow.py')])
  for (const play of plays) {
    if (!(await served(url => runsBeside([...play, url, token], made)))) return false
  }
  return true
}

/** Runs a flow beside the server, which is in this process. */
async function runsBeside([command, ...args], cwd) {
  try {
    process.stdout.write((await promisify(execFile)(command, args, { cwd })).stdout)
    return true
  } catch (error) {
    process.stdout.write(`${error.stdout}${error.stderr}\n`)
    return false
  }
}

/** Runs something with the address of a server on a new store. */
async function served(act) {
  const { serve } = await import('@agentstategraph/server')
  const folder = mkdtempSync(join(tmpdir(), 'generated-'))
  const server = await serve({ store: join(folder, 'state.db'), port: 0, token, log: () => {} })
  try {
    return await act(server.url)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The folder of the clients of a description, made once; undefined when a tool is not content. */
function makeClients(description, python) {
  const inputs = ['package-lock.json', 'requirements.txt', 'flow.ts', 'flow.py'].map(name => join(own, name))
  const hash = createHash('sha256')
    .update(description)
    .update(String(python !== undefined))
  for (const file of inputs) hash.update(readFileSync(file))
  const made = join(cache, hash.digest('hex').slice(0, 16))
  if (existsSync(made)) return made
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'new-'))
  const document = join(fresh, 'openapi.json')
  writeFileSync(document, description)
  const tool = name => [process.execPath, join(own, 'node_modules', name)]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const isMade =
    succeeds(
      [...tool('@redocly/cli/bin/cli.js'), 'lint', document, '--extends=recommended', '--format=summary'],
      fresh,
      env,
    ) &&
    succeeds([...tool('openapi-typescript/bin/cli.js'), document, '-o', join(fresh, 'api.d.ts')], fresh) &&
    makeTypeScript(fresh) &&
    (python === undefined || makePython(fresh, document, python, Object.values(JSON.parse(description).paths)))
  if (!isMade) return undefined
  renameSync(fresh, made)
  return made
}

/** Compiles the flow against the generated types, in the folder of the generators, whose packages it imports. */
function makeTypeScript(fresh) {
  for (const name of ['flow.ts', 'package.json']) copyFileSync(join(own, name), join(fresh, name))
  symlinkSync(join(own, 'node_modules'), join(fresh, 'node_modules'), 'dir')
  const options = [
    '--ignoreConfig',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    '--types',
    'node',
  ]
  const roots = ['--typeRoots', join(root, 'node_modules/@types')]
  return succeeds(
    [process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...options, ...roots, 'flow.ts'],
    fresh,
  )
}

/** Generates the package, and compares it with the description: a generator leaves out what it does not understand. */
function makePython(fresh, document, python, paths) {
  const env = { ...process.env, PATH: [join(python, 'bin'), process.env.PATH].join(delimiter) }
  const output = ['--output-path', join(fresh, 'asg_client'), '--meta', 'none']
  const command = [join(python, 'bin/openapi-python-client'), 'generate', '--path', document, ...output]
  if (!succeeds(command, fresh, env)) return false
  copyFileSync(join(own, 'flow.py'), join(fresh, 'flow.py'))
  const modules = readdirSync(join(fresh, 'asg_client/api'), { recursive: true }).filter(
    name => name.endsWith('.py') && !name.endsWith('__init__.py'),
  )
  const operations = paths
    .flatMap(methods => Object.values(methods))
    .filter(({ operationId }) => operationId !== undefined)
  if (modules.length === operations.length) return true
  process.stdout.write(`The Python client has ${modules.length} of ${operations.length} operations.\n`)
  return false
}

/** The environment with the generator for Python, made once; undefined where it cannot be made. */
function findPython() {
  const place = join(
    cache,
    `python-${createHash('sha256')
      .update(readFileSync(join(own, 'requirements.txt')))
      .digest('hex')
      .slice(0, 16)}`,
  )
  if (existsSync(place)) return place
  process.stdout.write('Installing the generator of Python clients (once)…\n')
  mkdirSync(cache, { recursive: true })
  const pip = [join(place, 'bin/python'), '-m', 'pip', '--quiet', 'install', '-r', join(own, 'requirements.txt')]
  if (succeeds(['python3', '-m', 'venv', place], root) && succeeds(pip, root)) return place
  rmSync(place, { recursive: true, force: true })
  return undefined
}

function isSkipped(what, reason) {
  process.stdout.write(`SKIPPED: ${what}: ${reason}.\n`)
  return !process.env.CI
}

/** Runs a command, and shows what it said when it failed. */
function succeeds([command, ...args], cwd, env = process.env) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (done.status === 0) return true
  process.stdout.write(`${command} ${args.join(' ')}\n${done.stdout ?? ''}${done.stderr ?? ''}${done.error ?? ''}\n`)
  return false
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = (await checkGeneratedClients()) ? 0 : 1
