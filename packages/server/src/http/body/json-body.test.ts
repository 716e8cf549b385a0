import { isStateError } from 'agentstategraph'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonObjectIn } from './json-body.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function refusal(body: Uint8Array): Promise<string> {
  try {
    await jsonObjectIn(body)
    return 'taken'
  } catch (error) {
    return isStateError(error) ? error.code : String(error)
  }
}

describe('a JSON body', () => {
  test('is what JSON.parse makes of it, whenever it is taken', () => {
    return fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), async value => {
        const text = JSON.stringify(value)
        const outcome = await refusal(bytesOf(text))
        if (outcome === 'taken') expect(await jsonObjectIn(bytesOf(text))).toEqual(JSON.parse(text))
        else expect(outcome).toBe('body-refused')
      }),
    )
  })

  test('never becomes anything else than an object or a refusal, whatever the bytes', () => {
    return fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async bytes => {
        expect(await refusal(bytes)).toMatch(/^(taken|body-refused|body-not-utf8|body-not-an-object)$/)
      }),
    )
  })

  test('is refused in linear time when it is deep', async () => {
    expect(await refusal(bytesOf(`{"a":${'['.repeat(1_000_000)}`))).toBe('body-refused')
  })
})
