/** Names and values that want to be more than text, in every view: markup, marks that turn text, control characters, a megabyte. */
import { isStateError, type Repository } from 'agentstategraph'
import { access } from 'agentstategraph/access'
import { Versioned } from 'agentstategraph/memory'
import { plans } from 'agentstategraph/plans'
import { epochs } from 'agentstategraph/trust'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { hiddenIn, hostile, large } from './support/hostile.ts'
import { app } from './support/story/app.mjs'

/** Writes it wherever the store takes it. */
async function tellHostile(repo: Repository): Promise<{ readonly specs: readonly string[] }> {
  const said = { description: hostile, reasoning: large.slice(0, 9000), confidence: 0.4 }
  const why = { ...said, tags: [hostile] }
  await repo.set('/', { [hostile]: { [hostile]: large, list: [hostile, null, 2] } }, why)
  await repo.branch('other')
  await repo.on('other').set([hostile, 'list'], [large], why)
  await repo.set([hostile, 'list'], [hostile, hostile], why)
  const specs: string[] = []
  for (const n of [1, 2]) {
    const speculation = await repo.speculate({ label: `${hostile}${n}` })
    await speculation.set([hostile, 'choice'], `${n}${large}`, said)
    specs.push(speculation.id)
  }
  const { help } = app.agents!['support'] as unknown as Record<
    string,
    (input: object, context: object) => Promise<unknown>
  >
  await repo.branch('memory')
  const memory = await Versioned.open(repo, { branch: 'memory' })
  await help!({ customer: hostile, problem: hostile }, { state: memory })
  await memory.close()
  const refunds = app.graphs!['refund']!(repo)
  await refunds.thread('order-21').run({ order: hostile, amount: 1 })
  const plan = await plans(repo).create('plan', hostile)
  await plan.add([{ title: hostile, priority: 'high' }])
  await plan.add({ title: hostile, blockedBy: ['t-1'] })
  await epochs(repo).create('e-1', hostile)
  await repo.set('/after', hostile, why)
  await epochs(repo).seal('e-1', hostile)
  await tellAccess(repo)
  return { specs }
}

async function tellAccess(repo: Repository): Promise<void> {
  const control = access(repo)
  const { key } = await control.addPrincipal('agent/evil', 'agent')
  await control.grant('agent/evil', { capabilities: ['read', 'propose'], paths: ['/after'] })
  await control.openSession({ agent: 'agent/evil' })
  await control.taint({ path: '/suspect', effect: 'warn', reason: hostile })
  const evil = await control.authenticate(key)
  await evil.set('/elsewhere', hostile, hostile).catch(() => undefined)
  const proposed = access(evil).proposing().set('/after', large, { description: hostile, reasoning: hostile })
  await proposed.catch(error => {
    if (!isStateError(error, 'approval-required')) throw error
  })
}

let browser: Browser
let scene: Scene & { readonly told: { readonly specs: readonly string[] } }

beforeAll(async () => {
  const started = Promise.all([startBrowser(), startScene(tellHostile)])
  ;[browser, scene] = await started
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

it('hostile names and values are text in every view, and a megabyte is cut where it is shown', async () => {
  const { page, complaints } = await openPage(browser, scene)
  const [head] = await scene.repo.log({ limit: 1 })
  const [first] = await scene.repo.log({ limit: 1, order: 'oldest' })
  const at = encodeURIComponent(hostile)
  const places = [
    `#/history?commit=${first!.id}`,
    '#/state/main?find=img',
    `#/state/main/${at}`,
    `#/state/main/${at}?as=table`,
    `#/commit/${head!.id}`,
    `#/blame/main/${at}/${at}`,
    '#/compare',
    '#/compare/main?with=other',
    `#/compare/?speculations=${scene.told.specs.join(',')}`,
    '#/runs/refund?thread=order-21',
    '#/memory/memory?agent=support',
    '#/plans',
    ...['', '/grants', '/sessions', '/taints', '/refusals', '/calibration'].map(part => `#/people${part}`),
    '#/epochs',
    '#/store',
  ]
  for (const place of places) {
    await page.goto(`${scene.server.url}/${place}`)
    const isSilent = /grants|sessions|refusals|calibration|store|people$/.test(place)
    await page
      .getByText(isSilent ? /agent\/evil|commit/ : '<img')
      .first()
      .waitFor()
    await page.waitForFunction(() => document.querySelector('.waiting') === null, undefined, { polling: 50 })
    expect([place, await page.locator('img').count()]).toEqual([place, 0])
    expect([place, await hiddenIn(page)]).toEqual([place, []])
    const length = await page.evaluate(() => document.body.textContent.length)
    expect([place, length < 200_000]).toEqual([place, true])
  }
  expect(complaints).toEqual([])
  await page.close()
})
