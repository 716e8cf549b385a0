/** The view of the store: it is verified, its rules are set and taken back, and what nothing needs is freed; long work tells how far it is. */
import { setRetention, stats } from 'agentstategraph/maintenance'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { storyClock, type Told, tellStory } from './support/story/tell.mjs'

let browser: Browser
let scene: Scene & { readonly told: Told }
let page: Page
let complaints: string[]

beforeAll(async () => {
  const started = Promise.all([startBrowser(), startScene(tellStory, { clock: storyClock() })])
  ;[browser, scene] = await started
  ;({ page, complaints } = await openPage(browser, scene, '#/store'))
})

afterEach(() => {
  expect(complaints).toEqual([])
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

const press = (name: string) => page.getByRole('button', { name }).first().click()
const see = (words: string | RegExp) => page.getByText(words).first().waitFor()

it('says how large the store is and how it grew, and leads to the commits that it counts', async () => {
  const { commits, branches } = await stats(scene.repo)
  const figure = (name: string) => page.locator('.figures div').filter({ has: page.getByText(name, { exact: true }) })
  expect(await figure('commits').textContent()).toBe(`${commits}commits`)
  expect(await figure('branches').textContent()).toBe(`${branches}branches`)
  expect(await figure('stored').textContent()).toMatch(/^[\d.]+ KBstored$/)
  await page.getByRole('img', { name: /^Commits by day\. 2026-05-12: \d+/ }).waitFor()
  await page.getByRole('link', { name: 'agent/scaler' }).click()
  await page.getByRole('option').filter({ hasText: 'Scale to 10 replicas' }).waitFor()
  await page.goBack()
})

it('is verified, and its rules of retention are set and taken back', async () => {
  await press('Verify the whole store')
  await see(/Whole: \d+ entries were checked\./)
  await press('Verify what came since')
  await see('Whole: 0 entries were checked.')
  await page.getByLabel('Keep states of the last').fill('30')
  await press('Set')
  await see('Kept are states younger than 30 d')
  expect(await stats(scene.repo)).toMatchObject({ retention: { keep: { newerMs: 30 * 86_400_000 } } })
  await press('Undo')
  await see('Every state that was ever committed is kept.')
  await setRetention(scene.repo, { count: 5, categories: ['Release'] })
  await page.reload()
  await see('the 5 newest of each branch, those of Release')
  await page.getByLabel('and the newest').fill('9')
  await press('Set')
  await see('the 9 newest of each branch, those of Release')
  const { retention } = await stats(scene.repo)
  expect(retention?.keep).toMatchObject({ count: 9, categories: ['Release'] })
})

it('frees what nothing needs after saying what that is, builds its indexes again, and gives room back', async () => {
  await press('What could be freed?')
  await see(/in \d+ states that nothing needs/)
  await press('Free it for good')
  await see(/Freed .* What was dropped cannot be brought back; commits and blame stay\./)
  await see(/ older states were dropped\./)
  const { retention } = await stats(scene.repo)
  expect(retention?.trimmedStates).toBeGreaterThan(0)
  const { agent } = await scene.repo.blame('/cluster/node-3/status')
  expect(agent).toBe('agent/repair')
  await press('Build the indexes again')
  await see('The indexes were built again from the journal')
  await press('Give unused room back to the disk')
  await see(/The store took .* of the disk, and takes .* now\./)
})

it('tells how far long work is, and stops it when it is asked to', async () => {
  // The events of the server come when the test lets them come.
  await page.evaluate(() => {
    const reach = globalThis.fetch
    globalThis.fetch = async (url, init) => {
      if (!String(url).startsWith('/api/verify')) return reach(url, init)
      globalThis.fetch = reach
      const body = new ReadableStream<Uint8Array>({
        start(events) {
          events.enqueue(new TextEncoder().encode('data: {"kind":"progress","done":1,"total":4}\n\n'))
          init?.signal?.addEventListener('abort', () => events.error(init.signal?.reason))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
  })
  await press('Verify the whole store')
  const bar = page.getByRole('progressbar', { name: 'Reading the store' })
  await page.getByText('25%, ').waitFor()
  expect(await bar.getAttribute('value')).toBe('0.25')
  await press('Stop')
  await bar.waitFor({ state: 'detached' })
  await press('Verify the whole store')
  await see(/Whole: \d+ entries were checked\./)
})
