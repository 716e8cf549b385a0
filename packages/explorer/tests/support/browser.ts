/** A headless Chromium for tests, and a server on a store that a story has filled. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, type ServeOptions, serve } from '@agentstategraph/server'
import { open, type Repository } from 'agentstategraph'
import { createKeyFile, keyFileSigner } from 'agentstategraph/trust'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { app } from './story/app.mjs'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const chromiumPath = process.env['ASG_CHROMIUM'] ?? '/usr/bin/chromium'

export function startBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] })
}

/** A browser whose data are on the disk, as those of a person are. */
export function startProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { executablePath: chromiumPath, args: flags })
}

/** Ends a wait for something that does not come, with what it was. */
export const PATIENCE_MS = 300_000

export interface Scene extends AsyncDisposable {
  readonly server: RunningServer
  readonly token: string
  /** The same store, opened beside the server. */
  readonly repo: Repository
  /** The public key of the store. */
  readonly verifierKey: string
}

export interface SceneOptions extends Pick<ServeOptions, 'mode' | 'hosts' | 'operations' | 'limits' | 'log'> {
  readonly clock?: () => Date
}

/** A server on a file that `tell` has filled; with an app, and a key that signs. */
export async function startScene<Told>(
  tell: (repo: Repository) => Promise<Told>,
  { clock, ...options }: SceneOptions = {},
): Promise<Scene & { readonly told: Told }> {
  const folder = mkdtempSync(join(tmpdir(), 'asg-explorer-'))
  const store = join(folder, 'state.db')
  const keyFile = join(folder, 'log.key')
  await createKeyFile(keyFile, { name: 'example.org/story' })
  const signer = await keyFileSigner(keyFile)
  const before = await open(store, { signer, ...(clock === undefined ? {} : { clock }) })
  const told = await tell(before)
  await before.close()
  const repo = await open(store, { signer })
  const token = 'key-of-the-tests-0123456789abcdef0123456789'
  const server = await serve({
    store,
    port: 0,
    token,
    log: () => {},
    storeOptions: { apps: app, signer },
    ...options,
  })
  return {
    server,
    token,
    repo,
    told,
    verifierKey: signer.verifierKey,
    async [Symbol.asyncDispose]() {
      await server.close()
      await repo.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A page that gave its key. Everything that the page complains about is kept in `complaints`. */
export async function openPage(
  browser: Browser | BrowserContext,
  { server, token }: Pick<Scene, 'server' | 'token'>,
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
