/**
 * What the conformance suite asks every server to offer, so that it can try out the whole of the protocol: tools, resources and
 * prompts with agreed names. They exist here only, never in the server that people use.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import {
  completable,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** One red pixel, and a wave of no length. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const none = z.object({})
const text = words => ({ content: [{ type: 'text', text: words }] })
const form = (message, properties, required = Object.keys(properties)) => ({
  message,
  requestedSchema: { type: 'object', properties, required },
})
const nameForm = form('What is your name?', { name: { type: 'string' } })
const capabilitiesOf = context => context.mcpReq.envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {}
const question = words => ({
  messages: [{ role: 'user', content: { type: 'text', text: words } }],
  maxTokens: 100,
})

export function addFixtures(server, codec) {
  addContent(server)
  addAsking(server)
  addRounds(server, codec)
  addResources(server)
  addPrompts(server)
}

function tool(server, name, run, inputSchema = none) {
  server.registerTool(name, { description: `Fixture of the conformance suite: ${name}`, inputSchema }, run)
}

function addContent(server) {
  const image = { type: 'image', data: png, mimeType: 'image/png' }
  const resource = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } })
  tool(server, 'test_simple_text', () => text('This is a simple text response for testing.'))
  tool(server, 'test_image_content', () => ({ content: [image] }))
  tool(server, 'test_audio_content', () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }))
  tool(server, 'test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }))
  tool(server, 'test_multiple_content_types', () => ({
    content: [
      ...text('Multiple content types test:').content,
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }))
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  tool(server, 'test_tool_with_progress', async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await wait(20)
    }
    return text('Done')
  })
  tool(server, 'test_logging_tool', () => text('Nothing is logged unless it is asked for'))
  tool(server, 'test_headers', ({ region }) => text(region), withHeader())
  tool(
    server,
    'json_schema_2020_12_tool',
    () => text('Done'),
    fromJsonSchema(JSON.parse(readFileSync(new URL('wide-schema.json', import.meta.url), 'utf8'))),
  )
}

/** A parameter that a gateway may read from a header. */
function withHeader() {
  return fromJsonSchema({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  })
}

/** One question, one answer: the SDK asks clients of the older handshake by a request. */
function addAsking(server) {
  function asks(name, request, answered, inputSchema = none) {
    tool(
      server,
      name,
      (args, { mcpReq }) => {
        const given = inputResponse(mcpReq.inputResponses, 'answer')
        return given.kind === 'missing'
          ? inputRequired({ inputRequests: { answer: request(args) } })
          : text(answered(given))
      },
      inputSchema,
    )
  }
  const told = ({ action, content }) => `action=${action}, content=${JSON.stringify(content ?? {})}`
  asks(
    'test_sampling',
    ({ prompt }) => inputRequired.createMessage(question(prompt)),
    ({ result }) => `LLM response: ${[result.content].flat()[0]?.text}`,
    z.object({ prompt: z.string() }),
  )
  asks(
    'test_elicitation',
    ({ message }) => inputRequired.elicit(form(message, { username: { type: 'string' }, email: { type: 'string' } })),
    given => `User response: ${told(given)}`,
    z.object({ message: z.string() }),
  )
  asks(
    'test_elicitation_sep1034_defaults',
    () => inputRequired.elicit(form('Check the defaults', defaults, [])),
    given => `Elicitation completed: ${told(given)}`,
  )
  asks(
    'test_elicitation_sep1330_enums',
    () => inputRequired.elicit(form('Choose', enums, [])),
    given => `Elicitation completed: ${told(given)}`,
  )
  asks(
    'test_missing_capability',
    () => inputRequired.createMessage(question('Anything')),
    () => 'Done',
  )
  asks(
    'test_streaming_elicitation',
    () => inputRequired.elicit(nameForm),
    () => 'Done',
  )
}

const defaults = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
}

const options = ['option1', 'option2', 'option3']
const titled = word =>
  ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${word}` }))
const enums = {
  untitledSingle: { type: 'string', enum: options },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
}

/** Several rounds, with and without signed state. */
function addRounds(server, codec) {
  const named = ({ mcpReq }, key) => {
    const given = inputResponse(mcpReq.inputResponses, key)
    return given.kind === 'elicit' && typeof given.content?.name === 'string' ? given.content.name : undefined
  }
  tool(server, 'test_input_required_result_elicitation', (_, context) => {
    const name = named(context, 'user_name')
    return name === undefined
      ? inputRequired({ inputRequests: { user_name: inputRequired.elicit(nameForm) } })
      : text(`Hello, ${name}!`)
  })
  tool(server, 'test_input_required_result_sampling', (_, { mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'capital_question')
    return given.kind === 'sampling'
      ? text([given.result.content].flat()[0]?.text ?? '')
      : inputRequired({
          inputRequests: { capital_question: inputRequired.createMessage(question('What is the capital of France?')) },
        })
  })
  tool(server, 'test_input_required_result_list_roots', (_, { mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'client_roots')
    return given.kind === 'roots'
      ? text(JSON.stringify(given.roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    tool(server, name, async (_, context) => {
      const given = inputResponse(context.mcpReq.inputResponses, 'confirm')
      if (given.kind === 'elicit' && context.mcpReq.requestState()?.about === name) return text('state-ok')
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit(form('Please confirm', { ok: { type: 'boolean' } })) },
        requestState: await codec.mint({ call: '', about: name }, context),
      })
    })
  tool(server, 'test_input_required_result_multiple_inputs', async (_, context) => {
    const given = key => inputResponse(context.mcpReq.inputResponses, key).kind !== 'missing'
    if (['user_name', 'greeting', 'client_roots'].every(given)) return text('All there')
    return inputRequired({
      inputRequests: {
        user_name: inputRequired.elicit(nameForm),
        greeting: inputRequired.createMessage(question('Generate a greeting')),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ call: '', about: 'multiple' }, context),
    })
  })
  tool(server, 'test_input_required_result_multi_round', async (_, context) => {
    const state = context.mcpReq.requestState()
    const ask = async (key, asked, about) =>
      inputRequired({
        inputRequests: { [key]: inputRequired.elicit(asked) },
        requestState: await codec.mint({ call: '', about }, context),
      })
    const given = inputResponse(context.mcpReq.inputResponses, state?.about ?? '')
    if (given.kind !== 'elicit')
      return ask('step1', form('Step 1: What is your name?', { name: { type: 'string' } }), 'step1')
    if (state.about === 'step1')
      return ask('step2', form('Step 2: What is your favorite color?', { color: { type: 'string' } }), 'step2')
    return text('Done')
  })
  tool(server, 'test_input_required_result_capabilities', (_, context) => {
    const { sampling, elicitation } = capabilitiesOf(context)
    return inputRequired({
      inputRequests: {
        ...(elicitation === undefined ? {} : { user_name: inputRequired.elicit(nameForm) }),
        ...(sampling === undefined ? {} : { greeting: inputRequired.createMessage(question('Generate a greeting')) }),
      },
    })
  })
}

function addResources(server) {
  const about = { description: 'Fixture of the conformance suite' }
  server.registerResource('static-text', 'test://static-text', { ...about, mimeType: 'text/plain' }, uri => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', { ...about, mimeType: 'image/png' }, uri => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { ...about, mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

function addPrompts(server) {
  // No list of this server changes while it runs.
  server.server.registerCapabilities({ prompts: { listChanged: false } })
  const user = content => ({ role: 'user', content })
  const say = words => user({ type: 'text', text: words })
  const prompt = (name, run, argsSchema) =>
    server.registerPrompt(
      name,
      { description: `Fixture of the conformance suite: ${name}`, ...(argsSchema === undefined ? {} : { argsSchema }) },
      run,
    )
  prompt('test_simple_prompt', () => ({ messages: [say('This is a simple prompt for testing.')] }))
  prompt(
    'test_prompt_with_arguments',
    ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
    z.object({
      arg1: completable(z.string(), value => ['paris', 'park', 'party'].filter(word => word.startsWith(value))),
      arg2: z.string(),
    }),
  )
  prompt(
    'test_prompt_with_embedded_resource',
    ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        say('Please process the embedded resource above.'),
      ],
    }),
    z.object({ resourceUri: z.string() }),
  )
  prompt('test_prompt_with_image', () => ({
    messages: [user({ type: 'image', data: png, mimeType: 'image/png' }), say('Please analyze the image above.')],
  }))
  prompt('test_input_required_result_prompt', ({ mcpReq }) => {
    const given = inputResponse(mcpReq.inputResponses, 'user_context')
    return given.kind === 'elicit'
      ? { messages: [say(JSON.stringify(given.content ?? {}))] }
      : inputRequired({
          inputRequests: {
            user_context: inputRequired.elicit(
              form('What context should the prompt use?', { context: { type: 'string' } }),
            ),
          },
        })
  })
}
