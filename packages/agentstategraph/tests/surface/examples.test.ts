/** The examples in the comments of public names: the most used names have one, and each compiles and runs as it stands. */
import { expect, it } from 'vitest'
import { layersFolder, readSources, root } from '../architecture/support/source-file.ts'
import { runBlocks } from '../docs/support/run-blocks.ts'

const mostUsed = [
  ...['open', 'get', 'set', 'delete', 'commit', 'branch', 'merge', 'previewMerge', 'diff', 'log', 'query', 'blame'],
  ...['history', 'watch', 'speculate', 'epochs', 'plans', 'access', 'StateGraph', 'agent'],
]

/** The code of each example, and the name that follows its comment. */
const examples = readSources([layersFolder]).flatMap(({ path, text }) =>
  [...text.matchAll(/\* @example\n\s*\* ```ts\n(?<code>[\s\S]*?)\s*\* ```\n\s*\*\/\n(?<declaration>[^\n]*)/g)].map(
    match => ({
      place: `${path}:${text.slice(0, match.index).split('\n').length}`,
      code: (match.groups?.['code'] ?? '').replaceAll(/^\s*\* ?/gm, ''),
      name: /(?:export (?:async )?(?:function|const) |^\s+(?:async )?)(\w+)/.exec(
        match.groups?.['declaration'] ?? '',
      )?.[1],
    }),
  ),
)

it('stand at the most used names', () => {
  const named = examples.map(({ name }) => name)
  expect(mostUsed.filter(name => !named.includes(name))).toEqual([])
})

it('run', async () => {
  const outcomes = await runBlocks(
    root,
    examples.map(({ code }) => ({ language: 'ts', code })),
  )
  const faults = outcomes.flatMap(({ failure }, index) =>
    failure === undefined ? [] : [`${examples[index]?.place}: ${failure}`],
  )
  expect(faults).toEqual([])
})
