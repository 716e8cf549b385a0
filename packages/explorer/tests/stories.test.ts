/**
 * What people do in each view, played in a real browser on a real server: one store with one story for all, one page.
 *
 * Each story ends with what the store says.
 */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { storyClock, type Told, tellStory } from './support/story/tell.mjs'

let browser: Browser
let scene: Scene & { readonly told: Told }
let page: Page
let complaints: string[]

beforeAll(async () => {
  const started = Promise.all([startBrowser(), startScene(tellStory, { clock: storyClock() })])
  ;[browser, scene] = await started
  ;({ page, complaints } = await openPage(browser, scene))
})

afterEach(() => {
  expect(complaints).toEqual([])
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

const goTo = (hash: string) => page.goto(`${scene.server.url}/${hash}`)
const press = (name: string) => page.getByRole('button', { name }).click()
const see = (words: string | RegExp) => page.getByText(words).first().waitFor()

describe('time', () => {
  it('goes back to before the incident, one commit on, and to now', async () => {
    await goTo('#/state/main/cluster/node-3')
    await see('"draining"')
    const slider = page.getByRole('slider', { name: 'Moment' })
    await slider.press('Home')
    await see('"ready"')
    await slider.press('ArrowRight')
    await see('"not-ready"')
    const [, second] = await scene.repo.log({ order: 'oldest', limit: 2 })
    expect(page.url()).toContain(second!.id)
    await page.getByRole('link', { name: 'Who wrote /cluster/node-3/status, and why' }).click()
    await see('Three health checks failed')
    expect(await page.getByText('Drain node 3').count()).toBe(0)
    await press('The commit after')
    await see('Its disk is failing')
    await slider.fill(await slider.getAttribute('min').then(String))
    await see('Set up the cluster')
  })
})

describe('compare', () => {
  it('puts three speculations side by side, and the chosen one is committed with its reason', async () => {
    await goTo('#/compare')
    await press('Put them side by side')
    await press('Choose logical replication')
    const rows = page.getByRole('row')
    expect(await rows.nth(1).textContent()).toContain('/database/replicas')
    expect(await rows.last().textContent()).toContain('/database/engine')
    await page.getByLabel('Why this one').fill('Move without downtime')
    await page.getByLabel('How sure').fill('85')
    await page.getByLabel('Why not “in place”').fill('A night is too long')
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByRole('heading', { name: 'Move without downtime' }).waitFor()
    await see('A night is too long')
    const [landed] = await scene.repo.log({ limit: 1 })
    expect(landed).toMatchObject({ confidence: 0.85, intent: { description: 'Move without downtime' } })
    expect(landed!.alternatives.map(({ label }) => label).sort()).toEqual(['in place', 'managed service'])
    expect(await scene.repo.get('/database/replicas')).toBe(2)
    expect(await scene.repo.speculations()).toEqual([])
    await press('Undo')
    await see('It was taken back.')
    expect(await scene.repo.get('/database/replicas')).toBe(1)
  })

  it('merges a branch, with a conflict resolved value by value', async () => {
    await goTo('#/compare/main?with=raise-limits')
    const merge = page.getByRole('button', { name: 'Merge', exact: true })
    await merge.waitFor()
    expect(await merge.isDisabled()).toBe(true)
    await page.getByLabel('Another value for /refunds/limit, as JSON').fill('100')
    await page.getByLabel('Why', { exact: true }).fill('Meet in the middle')
    await merge.click()
    await page.getByRole('heading', { name: 'Meet in the middle' }).waitFor()
    expect(await scene.repo.get('/refunds')).toEqual({ limit: 100, currency: 'EUR', known_customers: true })
    expect((await scene.repo.log({ limit: 1 }))[0]!.parents).toHaveLength(2)
  })
})
