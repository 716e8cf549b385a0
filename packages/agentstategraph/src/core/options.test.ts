import { describe, expect, it } from 'vitest'
import { checkOptions, optionsOf } from './options.ts'

interface Inner {
  min?: number | undefined
}
interface Outer {
  agent?: string | undefined
  range?: Inner | readonly Inner[] | string | undefined
}

const options = optionsOf<Outer>('find', { agent: true, range: optionsOf<Inner>('the range of find', { min: true }) })

describe('options', () => {
  it('that are known pass, whatever their values are', () => {
    for (const given of [
      undefined,
      {},
      { agent: 'a' },
      { range: { min: 1 } },
      { range: [{ min: 1 }] },
      { range: 'x' },
    ]) {
      expect(() => checkOptions(options, given)).not.toThrow()
    }
    // The names of an instance are its own matter.
    expect(() => checkOptions(options, { range: new Map([['a', 1]]) as never })).not.toThrow()
  })

  it('that are unknown are refused by name, with the nearest that is known', () => {
    const wrong: readonly [object, string][] = [
      [{ agnet: 'a' }, "find has no option 'agnet'. Did you mean 'agent'?"],
      [{ agnet: undefined }, "find has no option 'agnet'. Did you mean 'agent'?"],
      [{ range: { mni: 1 } }, "the range of find has no option 'mni'. Did you mean 'min'?"],
      [{ range: [{ min: 1 }, { zzz: 1 }] }, "the range of find has no option 'zzz'."],
      [{ toString: 1 }, "find has no option 'toString'."],
      [{ ['__proto__']: 1 }, "find has no option '__proto__'."],
    ]
    for (const [given, message] of wrong) expect(() => checkOptions(options, given)).toThrow(message)
  })

  it('are an object', () => {
    for (const given of [null, 3, [], 'text']) {
      expect(() => checkOptions(options, given as never)).toThrow('not an object')
    }
  })
})
