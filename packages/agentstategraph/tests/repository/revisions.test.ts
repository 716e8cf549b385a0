/** Names of revisions that are relative to others. */
import { expect, it } from 'vitest'
import { open } from '../../src/repository/index.ts'

it('a revision is named by how many commits it is behind another, and by a moment', async () => {
  let now = 0
  await using repo = await open(undefined, { clock: () => new Date(Date.UTC(2026, 0, 1, 0, 0, now++)) })
  const first = await repo.set('/n', 1, 'One')
  const second = await repo.set('/n', 2, 'Two')
  const side = await repo.branch('side')
  await side.set('/m', 1, 'Aside')
  await repo.set('/n', 3, 'Three')
  await repo.merge('side')
  for (const [name, n] of [
    ['main~', 3],
    ['main~1', 3],
    ['main~2', 2],
    ['HEAD~3', 1],
    ['side~1', 2],
    [`${second.id.slice(0, 8)}~1`, 1],
    [`main@{${second.timestamp}}`, 2],
    [`main@{${second.timestamp}}~1`, 1],
    [`HEAD@{${first.timestamp}}`, 1],
    ['HEAD', 3],
  ] as const) {
    expect(await repo.at(name).get('/n'), name).toBe(n)
  }
  expect(await side.at('HEAD').find('/m')).toBe(1)
  for (const name of ['main~9', 'absent~1', 'main@{2001-01-01T00:00:00Z}', 'absent@{2026-02-01}']) {
    await expect(repo.at(name).get('/'), name).rejects.toMatchObject({ code: 'ref-not-found' })
  }
  await expect(repo.at(new Date(0)).get('/')).rejects.toMatchObject({
    message: 'The branch "main" had no commit at 1970-01-01T00:00:00.000Z',
    hint: 'It was made later. Ask for a later moment.',
    data: { ref: 'main', known: ['main', 'side'], at: '1970-01-01T00:00:00.000Z' },
  })
  await expect(repo.on('absent').at(new Date(0)).get('/')).rejects.toMatchObject({
    message: 'There is no branch, tag or commit "absent"',
    hint: 'Known: main, side',
  })
})
