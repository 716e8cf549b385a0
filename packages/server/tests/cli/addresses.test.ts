/** The address of a store may have a secret in it, which no command prints or leaves on the disk. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { call, type Ended, scratchFolder } from './support/cli-process.ts'

const scratch: { remove(): void }[] = []
afterEach(() => {
  for (const { remove } of scratch.splice(0)) remove()
})

async function callIn(args: readonly string[]): Promise<Ended & { readonly left: readonly string[] }> {
  const made = scratchFolder()
  scratch.push(made)
  const ended = await call(args, { folder: made.folder })
  return { ...ended, left: readdirSync(made.folder) }
}

/** An endpoint at which nothing listens. */
async function noEndpoint(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

it('a secret in the address of a store is not printed, and no folder is called like it', async () => {
  const endpoint = await noEndpoint()
  const address = `s3://key:s3cret@states/x?endpoint=${endpoint}`
  for (const command of [['config'], ['config', '--json'], ['status'], ['serve', '--port', '0'], ['doctor']]) {
    const { out, err, left } = await callIn([...command, '--store', address])
    expect(out + err, command.join(' ')).not.toContain('s3cret')
    expect(left, command.join(' ')).toEqual([])
  }
  const { out } = await callIn(['config', '--json', '--store', address])
  expect(JSON.parse(out)).toMatchObject({ store: `s3://key@states/x?endpoint=${endpoint}` })
})

it('an address that is none is refused in words', async () => {
  const { code, err } = await callIn(['log', '--store', 's3://%zz/x'])
  expect(code).not.toBe(0)
  expect(err).toContain('s3-refused')
})
