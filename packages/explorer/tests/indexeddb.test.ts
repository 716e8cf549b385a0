/** The backend on IndexedDB in a real browser, with the files that the package has. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATIENCE_MS, startProfile } from './support/browser.ts'
import { type FileServer, serveFiles } from './support/files.ts'

let context: BrowserContext
let files: FileServer

beforeAll(async () => {
  context = await startProfile(mkdtempSync(join(tmpdir(), 'asg-profile-')))
  files = await serveFiles()
})

afterAll(async () => {
  await context.close()
  await files[Symbol.asyncDispose]()
})

/** A tab on which the functions of pages/indexeddb.mjs can be called. */
async function newTab(path = '', url = files.url): Promise<Page> {
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(url + path)
  return page
}

function call<T>(page: Page, name: string, ...args: readonly unknown[]): Promise<T> {
  const script = JSON.stringify('/pages/indexeddb.mjs')
  return page.evaluate(`import(${script}).then(page => page[${JSON.stringify(name)}](...${JSON.stringify(args)}))`)
}

interface Read {
  readonly state: Readonly<Record<string, unknown>>
  readonly commits: number
  readonly found: number
}

interface Outcome {
  readonly code?: string
  readonly message?: string
  readonly kept?: number
  readonly data?: { readonly usedBytes: number }
}

describe('a store in IndexedDB', () => {
  it('keeps every promise of the public suite', async () => {
    const page = await newTab()
    const { ran, failed } = await call<{ ran: number; failed: readonly string[] }>(page, 'conform')
    expect(failed).toEqual([])
    expect(ran).toBeGreaterThan(80)
    await page.close()
  })

  it('loses no write of two tabs, and finds all of them when it is opened again', async () => {
    const tabs = [await newTab(), await newTab()]
    await Promise.all(tabs.map((page, tab) => call(page, 'write', 'shared', `tab${tab}`, 30)))
    for (const page of tabs) await page.close()
    const page = await newTab()
    const { state, commits, found } = await call<Read>(page, 'read', 'shared')
    expect(state).toMatchObject({ sum: 60 })
    const all = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [n, n]))
    expect([state['tab0'], state['tab1']]).toEqual([all, all])
    expect([commits, found]).toEqual([120, 60])
    await page.close()
  })

  it('writes after what another tab has written, also where it was alone before', async () => {
    const tabs = [await newTab(), await newTab()]
    const count = `import('/lib/browser/index.js').then(async ({ open }) => {
      globalThis.repo ??= await open('turns')
      for (let n = 0; n < 4; n++) await repo.commit('Count', async tx => tx.set('/sum', ((await tx.find('/sum')) ?? 0) + 1))
      return repo.get('/sum')
    })`
    for (let turn = 1; turn <= 6; turn++) expect(await tabs[turn % 2]!.evaluate(count)).toBe(4 * turn)
    for (const page of tabs) await page.close()
    const page = await newTab()
    expect(await call<Read>(page, 'read', 'turns')).toMatchObject({ state: { sum: 24 }, commits: 24 })
    await page.close()
  })

  it('tells one tab what another writes, without waiting for the next look', async () => {
    const [listener, writer] = [await newTab(), await newTab()]
    await call(writer, 'write', 'watched', 'first', 1)
    await call(listener, 'listen', 'watched')
    await call(writer, 'write', 'watched', 'second', 1)
    await listener.waitForFunction('heard.includes("Tab second counts")')
    for (const page of [listener, writer]) await page.close()
  })

  it.each(['normal', 'full'])(
    'holds all that was answered when its tab dies in the middle of a write (%s)',
    async durability => {
      const page = await newTab()
      void call(page, 'writeOn', `killed ${durability}`, durability).catch(() => {})
      await page.waitForFunction('globalThis.answered >= 20')
      const session = await context.newCDPSession(page)
      const answered = await page.evaluate<number>('answered')
      const crashed = page.waitForEvent('crash')
      void session.send('Page.crash').catch(() => {})
      await crashed
      const after = await newTab()
      const { state, commits } = await call<Read>(after, 'read', `killed ${durability}`)
      expect(state['n']).toBeGreaterThanOrEqual(answered)
      expect(commits).toBe((state['n'] as number) + 1)
      await after.close()
      await page.close()
    },
  )

  it('says that there is no more room, and can be read on', async () => {
    // The browser looks at a quota when an origin is used for the first time, so this origin is new to it.
    const address = new URL(files.url)
    address.hostname = '127.0.0.1'
    const page = await newTab('', address.href)
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: address.origin, quotaSize: 3_000_000 })
    const { code, message, data, kept } = await call<Outcome>(page, 'fill', 'full', 512_000_000)
    expect(code).toBe('quota-exceeded')
    expect(data?.usedBytes).toBeGreaterThan(0)
    expect(message).toContain('The browser gives the IndexedDB store "full" no more room')
    expect(kept).toBeGreaterThan(0)
    await session.send('Storage.overrideQuotaForOrigin', { origin: address.origin })
    await page.close()
  })

  it('says so when the browser gives a page no database', async () => {
    const page = await newTab('sandboxed')
    const { code, message } = await call<Outcome>(page, 'fill', 'refused', 0)
    expect(code).toBe('indexeddb-refused')
    expect(message).toContain('The browser does not open the IndexedDB store "refused"')
    await page.close()
  })

  it('says so when its data are deleted while it is open', async () => {
    const page = await newTab()
    const result = await page.evaluate<string>(`import('/lib/browser/index.js').then(async ({ open }) => {
      const repo = await open('deleted')
      await repo.set('/a', 1, 'Begin')
      await new Promise(resolve => { indexedDB.deleteDatabase('deleted').onsuccess = resolve })
      return repo.set('/a', 2, 'Go on').catch(error => error.code)
    })`)
    expect(result).toBe('store-moved')
    await page.close()
  })
})
