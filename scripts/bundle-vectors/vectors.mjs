/**
 * The files of fixtures/bundles by name: good bundles, what can be done to them, and what a verifier has to say of each.
 *
 * Everything is fixed, so they come out the same each time. `index.json` lists each bundle with the arguments to check it with,
 * the exit code, and the first check that fails (null when none does).
 */
import { bodyOf, cosignatureLine, ended, recordsOf, remade } from './bundle-lines.mjs'
import { goodBundles, keys } from './good-bundles.mjs'
import { mutators } from './mutators.mjs'

export async function bundleVectors() {
  const { texts, heads } = await goodBundles()
  const vectors = []
  const files = new Map()

  const own = ['--key', 'log.pub']
  const witness = ['--witness', 'witness.pub']
  const unsigned = ['tiny', 'hostileText', 'fromFirst', 'dropped', 'erased', 'refs', 'longLists']
  const usual = { ...Object.fromEntries(unsigned.map(base => [base, []])), witnessed: [...own, ...witness] }
  const argumentsFor = base => usual[base] ?? own
  const exitOf = check => (check === null ? 0 : check === 'version' ? 2 : 1)
  const kebab = name => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

  function add(file, content, args, exit, check, mutator = null) {
    files.set(file, content)
    vectors.push({ file, mutator, args, exit, check })
  }

  /** A file that is there already, with other arguments. */
  const again = (base, args, exit, check = null) =>
    vectors.push({ file: `good-${kebab(base)}.jsonl`, mutator: null, args, exit, check })

  for (const [name, key] of Object.entries(keys)) files.set(`${name}.pub`, `${key.verifierKey}\n`)
  for (const [name, head] of Object.entries(heads)) files.set(`${kebab(name)}.head`, head)

  for (const [base, text] of Object.entries(texts)) add(`good-${kebab(base)}.jsonl`, text, argumentsFor(base), 0, null)

  for (const base of Object.keys(texts)) again(base, [], 0)
  again('tiny', ['--require', 'signed'], 3)
  again('tiny', ['--require', 'authorised'], 3)
  again('authority', [...own, '--require', 'authorised'], 0)
  again('authorityLog', [...own, '--require', 'authorised'], 0)
  again('authorityRedacted', [...own, '--require', 'authorised'], 3)
  again('tiny', own, 1, 'signature-missing')
  again('log', [...own, '--require', 'signed,witnessed'], 3)
  again('log', ['--key', 'other.pub'], 1, 'signature-missing')
  again('log', ['--key', 'other.pub', ...own], 0)
  again('rotatedBefore', ['--key', 'next.pub'], 0)
  again('rotatedBefore', ['--key', 'other.pub'], 1, 'signature-missing')
  again('rotatedWithin', ['--key', 'next.pub'], 0)
  again('witnessed', [...witness, '--require', 'witnessed'], 0)
  again('witnessed', [...witness, '--witness', 'second.pub'], 0)
  again('witnessed', [...witness, '--witness', 'second.pub', '--quorum', '2'], 3)
  again('witnessed', ['--witness', 'second.pub'], 3)
  again('log', witness, 3)
  again('since', ['--prior', 'early.head', '--require', 'extends'], 0)
  again('since', ['--prior', 'fork.head'], 1, 'extends-root')
  again('since', [...own, '--prior', 'elsewhere.head'], 1, 'extends-origin')
  again('log', ['--prior', 'early.head'], 3)
  again('log', ['--prior', 'same.head'], 0)
  again('redacted', ['--prior', 'same.head'], 0)
  again('signed', ['--prior', 'same-fork.head'], 1, 'extends-root')
  again('signed', ['--prior', 'newer.head'], 3)
  again('log', ['--key', 'other.pub', '--prior', 'same-fork.head'], 1, 'extends-root')

  // What only a kept head, or a witness, can tell: the holder of the key wrote another history.
  const rewritten = ended(await remade(recordsOf(texts.log), rewriteSummary, [keys.log]))
  add('rewritten-by-the-holder-of-the-key.jsonl', rewritten, own, 0, null, 'rewrite-with-the-key')
  vectors.push({ ...vectors.at(-1), args: [...own, '--prior', 'same.head'], exit: 1, check: 'extends-root' })
  vectors.push({ ...vectors.at(-2), args: [...own, ...witness, '--require', 'witnessed'], exit: 3, check: null })

  function rewriteSummary(entry) {
    if (entry.body?.status === 'sealed') entry.body.summary = 'Other'
  }

  const cosigned = async (name, change) => {
    const records = recordsOf(texts.log)
    const checkpoint = records.find(({ type }) => type === 'checkpoint')
    checkpoint.head += change(await cosignatureLine(keys.witness, bodyOf(checkpoint.head), 1767229200))
    add(`${name}.jsonl`, ended(records), [...own, ...witness], 1, 'witness-wrong', name)
  }
  const bytesChanged = change => line =>
    line.replace(/ (\S+)\n$/, (_, base64) => ` ${change(Buffer.from(base64, 'base64')).toString('base64')}\n`)
  const withByte = at => bytesChanged(bytes => Buffer.from(bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))))
  await cosigned('witness-edit-the-time', withByte(11))
  await cosigned('witness-flip-a-bit', withByte(20))
  await cosigned(
    'witness-cut',
    bytesChanged(bytes => bytes.subarray(0, -1)),
  )
  await cosigned(
    'witness-only-a-hash',
    bytesChanged(bytes => bytes.subarray(0, 8)),
  )

  for (const [name, [bases, check, make, checkOn]] of Object.entries(mutators)) {
    for (const base of bases) {
      const expected = checkOn?.(base) ?? check
      add(
        `${name}-${kebab(base)}.jsonl`,
        await make(recordsOf(texts[base])),
        argumentsFor(base),
        exitOf(expected),
        expected,
        name,
      )
    }
  }

  const list = vectors.map(vector => `    ${JSON.stringify(vector)}`).join(',\n')
  files.set('index.json', `{\n  "vectors": [\n${list}\n  ]\n}\n`)
  return files
}
