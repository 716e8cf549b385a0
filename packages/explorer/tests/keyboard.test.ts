/** The main act of each view with the keyboard alone: Tab, arrows, Enter and Space. The store says whether it was done. */
import { access } from 'agentstategraph/access'
import { stats } from 'agentstategraph/maintenance'
import { plans } from 'agentstategraph/plans'
import { epochs } from 'agentstategraph/trust'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { app } from './support/story/app.mjs'
import { propose, storyClock, type Told, tellStory } from './support/story/tell.mjs'

let browser: Browser
let scene: Scene & { readonly told: Told }
let page: Page
let complaints: string[]

beforeAll(async () => {
  const started = Promise.all([startBrowser(), startScene(tellStory, { clock: storyClock() })])
  ;[browser, scene] = await started
  ;({ page, complaints } = await openPage(browser, scene))
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

const goTo = (hash: string) => page.goto(`${scene.server.url}/${hash}`)
const see = (words: string | RegExp) => page.getByText(words).first().waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name })

/** More stops than any view of the story has. */
const MOST_STOPS = 300

/** Goes on with Tab until a thing is focused, and then presses the keys given. */
async function tabTo(wanted: Locator, ...keys: readonly string[]): Promise<void> {
  const first = wanted.first()
  await first.waitFor()
  for (let stops = 0; !(await first.evaluate(element => element === document.activeElement)); stops++) {
    if (stops === MOST_STOPS) throw new Error(`Tab does not lead to ${wanted}`)
    await page.keyboard.press('Tab')
  }
  for (const key of keys) await page.keyboard.press(key)
}

async function typeInto(wanted: Locator, text: string): Promise<void> {
  await tabTo(wanted)
  await page.keyboard.type(text)
}

it('reads what happened: from the history to a commit, its state and the blame of a value, and back in time', async () => {
  await goTo('#/history/main?q=path:/cluster/node-3')
  await see('Drain node 3')
  await tabTo(page.getByRole('listbox'), 'j', 'c')
  await see(/press c to compare it with/)
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await see(/^From [0-9a-f]{64} to/)
  await page.goBack()
  await see('Drain node 3')
  await tabTo(page.getByRole('listbox'), '?')
  await page.getByRole('region', { name: 'Keys and filters' }).waitFor()
  for (const key of ['?', 'g', 'Enter']) await page.keyboard.press(key)
  await see('Its disk is failing')
  await tabTo(link('The state then'), 'Enter')
  await tabTo(page.getByRole('button', { name: 'cluster' }), 'Enter')
  await tabTo(page.getByRole('button', { name: 'node-3' }), 'Space')
  await see('"draining"')
  await tabTo(link('Who wrote /cluster/node-3/status, and why'), 'Enter')
  await see('Three health checks failed')
  await tabTo(page.getByRole('slider', { name: 'Moment' }), 'Home')
  await see('Set up the cluster')
  await tabTo(link('Set up the cluster'), 'Enter')
  await page.getByRole('heading', { name: 'Set up the cluster' }).waitFor()
})

it('chooses a speculation', async () => {
  await goTo('#/compare')
  await tabTo(button('Put them side by side'), 'Enter')
  await tabTo(button('Choose in place'), 'Enter')
  await typeInto(page.getByLabel('Why this one'), 'A night is fine')
  await tabTo(button('Commit'), 'Enter')
  await page.getByRole('heading', { name: 'A night is fine' }).waitFor()
  expect(await scene.repo.get('/database/engine')).toBe('postgres 17')
})

it('resolves a conflict', async () => {
  await goTo('#/compare/main?with=raise-limits')
  await tabTo(page.getByRole('radio').first(), 'Space', 'ArrowDown')
  await typeInto(page.getByLabel('Why', { exact: true }), 'Support knows')
  await tabTo(button('Merge'), 'Enter')
  await page.getByRole('heading', { name: 'Support knows' }).waitFor()
  expect(await scene.repo.get('/refunds/limit')).toBe(120)
})

it('answers a question of a run', async () => {
  await goTo('#/runs/refund?thread=order-21')
  await typeInto(page.getByLabel('amount (What is paid back)'), '75')
  await tabTo(page.getByLabel('approved'), 'Space')
  await tabTo(button('Answer and resume'), 'Enter')
  await see('Answered order-21.')
  const { status, state } = await app.graphs!['refund']!(scene.repo).thread('order-21').state()
  expect([status, state]).toMatchObject(['done', { amount: 75, approved: true }])
})

it('looks at a memory as it was', async () => {
  await goTo('#/memory/memory')
  await tabTo(link('support').and(page.locator('.chips a')), 'Enter')
  await tabTo(page.getByRole('link', { name: /memory then, at success/ }), 'Enter')
  await see(/What was known at/)
  await see('"solved": 1')
})

it('changes the priority of a task', async () => {
  await goTo('#/plans')
  await tabTo(page.getByLabel('Priority of t-3'), 'ArrowDown')
  await see('t-3 is now medium.')
  const tasks = await (await plans(scene.repo).get('launch')).tasks()
  expect(tasks.find(({ id }) => id === 't-3')).toMatchObject({ priority: 'medium' })
})

it('approves a proposal', async () => {
  const proposal = await propose(scene.repo, scene.told)
  await goTo('#/people')
  await typeInto(page.getByLabel('Reason, for Move more load to node 1'), 'It is idle')
  await tabTo(button('Approve'), 'Enter')
  await see('Approved “Move more load to node 1”.')
  const [decided] = (await access(scene.repo).proposals()).filter(({ id }) => id === proposal)
  expect(decided).toMatchObject({ status: 'approved', decision: { reason: 'It is idle' } })
})

it('seals an epoch', async () => {
  await goTo('#/epochs')
  await typeInto(page.getByLabel('Reason, for sealing 2026-q2'), 'Launched')
  await page.keyboard.press('Enter')
  await see('Sealed 2026-q2.')
  const [sealed] = (await epochs(scene.repo).list()).filter(({ id }) => id === '2026-q2')
  expect(sealed).toMatchObject({ status: 'sealed', summary: 'Launched' })
})

it('verifies the store and sets what is kept', async () => {
  await goTo('#/store')
  await tabTo(button('Verify the whole store'), 'Enter')
  await see(/Whole: \d+ entries were checked\./)
  await typeInto(page.getByLabel('and the newest'), '7')
  await page.keyboard.press('Enter')
  await see('Kept are the 7 newest of each branch')
  expect(await stats(scene.repo)).toMatchObject({ retention: { keep: { count: 7 } } })
  expect(complaints).toEqual([])
})
