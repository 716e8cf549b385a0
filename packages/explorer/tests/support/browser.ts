/** A headless Chromium for tests, and a server on a store that tells the story of an incident. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, serve } from '@agentstategraph/server'
import { open, type Repository } from 'agentstategraph'
import { type Browser, chromium, type Page } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env['ASG_CHROMIUM'] ?? '/usr/bin/chromium', args: flags })
}

/** Ends a wait for something that does not come, with what it was. */
const PATIENCE_MS = 300_000

export interface Scene extends AsyncDisposable {
  readonly server: RunningServer
  readonly token: string
  /** The same store, opened beside the server. */
  readonly repo: Repository
}

/** A server on a file that `tell` has filled. */
export async function startScene(tell: (repo: Repository) => Promise<void>): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'asg-explorer-'))
  const store = join(folder, 'state.db')
  const repo = await open(store)
  await tell(repo)
  const token = 'key-of-the-tests-0123456789abcdef0123456789'
  const server = await serve({ store, port: 0, token, log: () => {} })
  return {
    server,
    token,
    repo,
    async [Symbol.asyncDispose]() {
      await server.close()
      await repo.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A page that gave its key. Everything that the page complains about is kept in `complaints`. */
export async function openPage(
  browser: Browser,
  { server, token }: Scene,
  hash = '',
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !/401/.test(message.text())) complaints.push(message.text())
  })
  page.on('dialog', dialog => {
    complaints.push(`a dialog said ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.goto(`${server.url}/${hash}`)
  await page.getByLabel('Key', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Use it in this tab' }).click()
  return { page, complaints }
}
