/**
 * Takes the pictures of docs/explorer.md: `npm run pictures`.
 *
 * Each shows a part of the story that the tests play, in a headless Chromium, on a store that the story fills.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@agentstategraph/server'
import { open } from 'agentstategraph'
import { chromium } from 'playwright-core'
import { app } from '../packages/explorer/tests/support/story/app.mjs'
import { storyClock, tellStory } from '../packages/explorer/tests/support/story/tell.mjs'
import { root } from './tools.mjs'

const pictures = [
  [
    'history',
    '#/history/main?q=path:/cluster/node-3',
    async page => page.getByText('Drain node 3').click(),
    'Its disk is failing',
  ],
  ['state', '#/state/main/cluster?as=table', undefined, '"draining"'],
  ['blame', '#/blame/main/cluster/node-3/status', undefined, 'Three health checks'],
  ['compare', '#/compare', async page => page.getByRole('button', { name: 'Put them' }).click(), 'No downtime'],
  ['runs', '#/runs/refund?thread=order-21', undefined, 'waits for an answer'],
  ['plans', '#/plans', undefined, 'What blocks what'],
]

const folder = mkdtempSync(join(tmpdir(), 'asg-pictures-'))
const store = join(folder, 'state.db')
const token = 'key-of-the-pictures-0123456789abcdef01234567'
const repo = await open(store, { clock: storyClock() })
await tellStory(repo)
await repo.close()
const server = await serve({ store, port: 0, token, log: () => {}, storeOptions: { apps: app } })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const page = await browser.newPage({ viewport: { width: 1180, height: 640 }, colorScheme: 'light' })
await page.goto(server.url)
await page.getByLabel('Key').fill(token)
await page.getByRole('button', { name: 'Use it in this tab' }).click()
for (const [name, hash, act, words] of pictures) {
  await page.goto(`${server.url}/${hash}`)
  await act?.(page)
  await page.getByText(words).first().waitFor()
  await page.screenshot({ path: `${root}docs/pictures/${name}.png` })
}
await browser.close()
await server.close()
rmSync(folder, { recursive: true, force: true })
