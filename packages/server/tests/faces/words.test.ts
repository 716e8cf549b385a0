/** Every surface speaks its own language: no error or hint has the words of another one. */
import { describe, expect, it } from 'vitest'
import { readCommandEntries } from '../../src/cli/parse/command-entry.ts'
import { inShellWords } from '../../src/cli/parse/shell-words.ts'
import { problemOf } from '../../src/http/problem.ts'
import { refusal } from '../../src/mcp/answer/tool-result.ts'
import { operations } from '../../src/operations/table.ts'
import { errorOf } from '../../src/rpc/message.ts'
import { type FaultCode, faultKinds } from '../../src/wire/faults/fault-kind.ts'
import { hintOf } from '../../src/wire/faults/hint.ts'
import type { Fault } from '../../src/wire/faults/refusal.ts'
import { allTexts } from './support/all-texts.ts'

const texts = await allTexts()
const entries = readCommandEntries()

/** Errors of programs that use the library: what they define, and calls that no surface makes. */
const ofPrograms: readonly string[] = [
  'class-invalid',
  'option-unknown',
  'parent-missing',
  'run-async',
  'state-over',
  'sync-unsupported',
  'target-undeclared',
  'transaction-over',
]

/** Errors of the HTTP protocol itself, which only a program that writes requests can cause. */
const ofProtocol: readonly string[] = [
  'encoding-unsupported',
  'header-invalid',
  'header-unsupported',
  'headers-late',
  'headers-too-large',
  'media-type-unsupported',
  'method-not-allowed',
  'route-not-found',
  'token-in-url',
]

const tableNames = operations.map(({ name }) => name).filter(name => name.includes('_'))
const words = {
  library: /\bagentstategraph\/\w|\b\w+\((?:\w+)?\)|\bawait\b|(?<!\$)\b[a-z]+[A-Z]\w*\b|\b(?:repo|limits)\.\w/,
  table: new RegExp(`(?<![\\w])(?:${tableNames.join('|')})(?!\\w)`),
  tools: /\bagentstategraph_\w/,
  http: /\/api\/|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\bheaders?\b|\bAuthorization\b/i,
  shell: /\basg (?!mcp)|(?:^|[\s(])--[a-z]|\bASG_[A-Z]/,
} as const

const faces = {
  'the command line': {
    told: (fault: Fault) => inShellWords(fault, entries),
    foreign: ['library', 'table', 'tools', 'http'],
  },
  HTTP: {
    told: (fault: Fault) => problemOf(fault)['hint'] as string | undefined,
    foreign: ['library', 'table', 'tools', 'shell'],
  },
  MCP: {
    told: (fault: Fault) =>
      (refusal(fault).content[0] as { readonly text: string }).text.split('\nNext: ')[1]?.split('\n')[0],
    foreign: ['library', 'http', 'shell'],
  },
  'asg rpc': {
    told: (fault: Fault) => errorOf(fault).data.hint,
    foreign: ['library', 'tools', 'http', 'shell'],
  },
} as const satisfies Record<
  string,
  { told(fault: Fault): string | undefined; foreign: readonly (keyof typeof words)[] }
>

function faultsOf(): readonly Fault[] {
  return texts
    .filter(({ code }) => !ofPrograms.includes(code))
    .map(({ code, message, hint, data }) => ({
      code,
      kind: faultKinds[code as FaultCode],
      message,
      hint: hintOf(code, data, hint),
      data: data as Fault['data'],
    }))
}

it('the texts of every code are looked at', () => {
  const found = new Set(texts.map(({ code }) => code))
  const missing = Object.keys(faultKinds).filter(code => !found.has(code))
  // The surfaces make these themselves.
  expect(missing).toEqual(['input-invalid', 'internal'].filter(code => missing.includes(code)))
})

describe.each(Object.entries(faces))('%s', (face, { told, foreign }) => {
  it('says what to do after every failure', () => {
    // Data that has everything: what is absent from other data may be what the hint says.
    const silent = faultsOf().filter(fault => typeof fault.data === 'function' && (told(fault) ?? '') === '')
    expect([...new Set(silent.map(({ code }) => code))]).toEqual([])
  })

  it('has no words of another surface', () => {
    const wrong = faultsOf()
      .filter(({ code }) => face === 'HTTP' || !ofProtocol.includes(code))
      .flatMap(fault => [
        { code: fault.code, text: fault.message },
        { code: fault.code, text: told(fault) ?? '' },
      ])
      .flatMap(({ code, text }) =>
        foreign.filter(kind => words[kind].test(text)).map(kind => `${code} (${kind}): ${text}`),
      )
    expect([...new Set(wrong)]).toEqual([])
  })
})
