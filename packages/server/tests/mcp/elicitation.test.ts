import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openHost, type StoreHost } from '../../src/host/store-host.ts'
import { connectTo, type Era, eras, mountOn, tell } from './support/mcp-connection.ts'
import { connectOverPipe } from './support/mcp-pipe.ts'

let host: StoreHost
beforeEach(async () => {
  host = await openHost(undefined)
  const repo = await host.context({ agent: 'human/ada' }).repo()
  await repo.set('/a', 1, 'Begin')
  const side = await repo.branch('side')
  await side.set('/a', 2, 'Two')
  await repo.set('/a', 3, 'Three')
})
afterEach(() => host.close())

type Answer = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string | boolean> }

/** A client that shows forms, and a person who answers them. */
async function connectAsked(era: Era, answer: Answer): Promise<{ client: Client; asked: string[] }> {
  const asked: string[] = []
  const client = await connectOverPipe(host, { era, capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(JSON.stringify(params))
    return answer
  })
  return { client, asked }
}

async function branches(): Promise<readonly string[]> {
  return (await (await host.context({}).repo()).branches()).map(({ name }) => name)
}

describe.each(eras)('in %s', era => {
  test('what takes something away asks the person, and is done when they agree', async () => {
    const { client, asked } = await connectAsked(era, { action: 'accept', content: { confirm: true } })
    const told = await tell(client, 'delete_branch', { name: 'side' })
    expect(told).toMatchObject({ isError: false, data: { name: 'side', deleted: true } })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('side')
    expect(await branches()).toEqual(['main'])
    await client.close()
  })

  test.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }] as const)(
    'nothing is done when the person answers %j, whatever the model claims',
    async answer => {
      const { client } = await connectAsked(era, answer)
      const told = await tell(client, 'delete_branch', { name: 'side', confirm: true })
      expect(told).toMatchObject({ isError: true, data: { code: 'declined' } })
      expect(await branches()).toEqual(['main', 'side'])
      await client.close()
    },
  )

  test('where the client cannot ask, the answer says how to call again, and that works', async () => {
    const client = await connectOverPipe(host, { era })
    const told = await tell(client, 'delete_branch', { name: 'side' })
    expect(told).toMatchObject({ isError: true, data: { code: 'confirmation-needed' } })
    expect(told.line).toContain('confirm: true')
    expect(await branches()).toEqual(['main', 'side'])
    expect((await tell(client, 'delete_branch', { name: 'side', confirm: true })).isError).toBe(false)
    expect(await branches()).toEqual(['main'])
    await client.close()
  })

  test('a conflict asks which side to keep, and merges what was chosen', async () => {
    const { client, asked } = await connectAsked(era, { action: 'accept', content: { place_1: 'theirs' } })
    const told = await tell(client, 'merge', { source: 'side', description: 'Merge' })
    expect(told.isError, told.line).toBe(false)
    expect(asked[0]).toContain('ours: 3; theirs: 2; base: 1')
    expect(await (await host.context({}).repo()).get('/a')).toBe(2)
    await client.close()
  })

  test('a conflict that changed while the person was asked is asked about again', async () => {
    const client = await connectOverPipe(host, { era, capabilities: { elicitation: { form: {} } } })
    const repo = await host.context({ agent: 'human/ada' }).repo()
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(JSON.stringify(params))
      if (asked.length === 1) await repo.set('/a', 4, 'Four, meanwhile')
      return { action: 'accept', content: { place_1: 'theirs' } }
    })
    const told = await tell(client, 'merge', { source: 'side', description: 'Merge' })
    expect(told.isError, told.line).toBe(false)
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain('ours: 4; theirs: 2')
    await client.close()
  })

  test('a conflict that nobody decides changes nothing, and says how to call again', async () => {
    const { client } = await connectAsked(era, { action: 'decline' })
    const told = await tell(client, 'merge', { source: 'side', description: 'Merge' })
    expect(told).toMatchObject({ isError: true, data: { code: 'merge-conflict' } })
    expect(told.line).toContain('resolutions')
    expect(await (await host.context({}).repo()).get('/a')).toBe(3)
    const again = await tell(client, 'merge', {
      source: 'side',
      description: 'Merge',
      resolutions: { '/a': { value: 7 } },
    })
    expect(again.isError).toBe(false)
    expect(await (await host.context({}).repo()).get('/a')).toBe(7)
    await client.close()
  })
})

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}

/** What a raw request is answered, as far as is looked at. */
interface Reply {
  readonly result: { readonly resultType: string; readonly requestState: string; readonly structuredContent: unknown }
  readonly error?: { readonly code: number }
}

describe('an answer', () => {
  const yes = { answer: { action: 'accept', content: { confirm: true } } }

  async function post(mount: ReturnType<typeof mountOn>, args: object, more: object = {}, key?: string) {
    const name = 'agentstategraph_delete_branch'
    const response = await mount.fetch(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': name,
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: args, _meta: envelope, ...more },
        }),
      }),
      key === undefined ? {} : { key },
    )
    return (await response.json()) as Reply
  }

  test('belongs to the very call it was asked for: other arguments, another caller or no signature ask again', async () => {
    const mount = mountOn(host)
    await (await host.context({}).repo()).branch('other')
    const { result } = await post(mount, { name: 'side' })
    expect(result.resultType).toBe('input_required')
    const { requestState } = result
    const other = await post(mount, { name: 'other' }, { inputResponses: yes, requestState })
    expect(other.result.resultType).toBe('input_required')
    const stranger = await post(mount, { name: 'side' }, { inputResponses: yes, requestState }, 'some-key')
    expect(stranger.result.resultType).toBe('input_required')
    const unsigned = await post(mount, { name: 'side' }, { inputResponses: yes })
    expect(unsigned.result.resultType).toBe('input_required')
    const forged = await post(mount, { name: 'side' }, { inputResponses: yes, requestState: `${requestState}x` })
    expect(forged.error).toMatchObject({ code: -32602 })
    const elsewhere = await post(mountOn(host), { name: 'side' }, { inputResponses: yes, requestState })
    expect(elsewhere.error).toMatchObject({ code: -32602 })
    expect(await branches()).toEqual(['main', 'other', 'side'])
    const right = await post(mount, { name: 'side' }, { inputResponses: yes, requestState })
    expect(right.result.structuredContent).toEqual({ name: 'side', deleted: true })
    expect(await branches()).toEqual(['main', 'other'])
  })

  test('over HTTP in the older protocol there is nobody to ask, and the call says so', async () => {
    const client = await connectTo(mountOn(host), { era: '2025-11-25', capabilities: { elicitation: {} } })
    expect((await tell(client, 'delete_branch', { name: 'side' })).data['code']).toBe('confirmation-needed')
  })
})
