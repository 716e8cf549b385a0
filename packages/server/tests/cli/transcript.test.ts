/**
 * An hour of a newcomer at a shell, mistakes included: each answer is short, and says what to do next.
 *
 * `transcript.commands` has the commands, `transcript.txt` what they answer; ids, times and folders are replaced by names. After a
 * change on purpose: npx vitest run packages/server/tests/cli/transcript.test.ts -u, and read what changed.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cliFolder } from './support/cli-folder.ts'
import { normaliser } from './support/normal-text.ts'
import { shellWords } from './support/shell-words.ts'

const MOST_LINES = 15

const commands = readFileSync(new URL('transcript.commands', import.meta.url), 'utf8')
  .trim()
  .split('\n')

it('sixty commands and more are answered as the transcript says', async () => {
  const { folder, asg, remove } = cliFolder()
  const normal = normaliser(folder)
  const answers: string[] = []
  const wrong: string[] = []
  try {
    for (const command of commands) {
      const { code, said = '' } = await asg(shellWords(command).slice(1), { onTerminal: true, env: { TERM: 'dumb' } })
      const lines = normal(said).trimEnd()
      answers.push(`$ ${command}\n${lines}\n[exit ${code}]\n`)
      if (lines.split('\n').length > MOST_LINES) wrong.push(`too long: ${command}`)
      if (!/^(?:try|next|To take this back): |^ {5}\S/m.test(lines)) wrong.push(`no next step: ${command}`)
    }
  } finally {
    remove()
  }
  await expect(answers.join('\n')).toMatchFileSnapshot('transcript.txt')
  expect(wrong).toEqual([])
  expect(commands.length).toBeGreaterThanOrEqual(60)
})
