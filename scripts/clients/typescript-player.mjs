/** The player of this library itself, which the other clients are compared with; fixtures/clients/README.md says what a player is. */
import { readFileSync } from 'node:fs'
import { openRemoteClient } from '../../packages/server/dist/cli/client/remote-client.js'
import { faultOf, openHost, operations } from '../../packages/server/lib/index.js'

const [address, file, agent] = process.argv.slice(2)
const isServed = /^https?:/.test(address)
const host = isServed ? undefined : await openHost(address, { agent })
const entries = JSON.parse(readFileSync(new URL('../../packages/server/commands.json', import.meta.url), 'utf8'))

async function call(name, fields) {
  if (isServed) {
    const entry = entries.find(entry => entry.name === name)
    return openRemoteClient({ url: address, token: process.env['ASG_TOKEN'], entry }).call(fields)
  }
  const operation = operations.find(operation => operation.name === name)
  return operation.run(host.context({ agent }), operation.input.parse(fields))
}

for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
  const blank = line.indexOf(' ')
  let answer
  try {
    answer = await call(line.slice(0, blank), JSON.parse(line.slice(blank)))
  } catch (error) {
    answer = { error: faultOf(error).code }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await host?.close()
