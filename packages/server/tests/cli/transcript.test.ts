/**
 * An hour of a newcomer at a shell, mistakes included: each answer is short, and says what to do next.
 *
 * `transcript.commands` has the commands, `transcript.txt` what they answer; ids, times and folders are replaced by names. After a
 * change on purpose: npx vitest run packages/server/tests/cli/transcript.test.ts -u, and read what changed.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cliFolder } from './support/cli-folder.ts'
import { shellWords } from './support/shell-words.ts'

const MOST_LINES = 15

const commands = readFileSync(new URL('transcript.commands', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** What differs from run to run, by the order in which it first appears. */
function normaliser(folder: string): (text: string) => string {
  const ids = new Map<string, string>()
  const named = (kind: string) => (id: string) => {
    const known = ids.get(id) ?? `${kind}${ids.size + 1}`
    ids.set(id, known)
    return known
  }
  return text =>
    text
      .replaceAll(folder, '~')
      .replace(/asg_[\w-]+/g, 'asg_KEY')
      .replace(/\b(agentstategraph)\+[0-9a-f]{8}\+[\w+/=]+/g, '$1+KEY')
      .replace(/\bby agentstategraph\+[0-9a-f]{8}/g, 'by agentstategraph+KEY')
      .replace(/\d{4}-\d\d-\d\d(?: \d\d:\d\d [+-]\d\d:\d\d|T[\d:.]+Z)/g, 'TIME')
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{12}\b/g, named('commit'))
      .replace(/\b(?=[0-9a-z]*\d)[0-9a-z]{26}\b/g, named('id'))
      .replace(/human\/[\w.-]+/g, 'human/me')
      .replace(/\d+ bytes/g, 'N bytes')
      .replace(/\(\d+ KB\)/g, '(N KB)')
      .replace(/(bytes\w*\s+)\d+/g, '$1N')
}

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
