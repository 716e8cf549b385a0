/**
 * What people do in each view, played in a real browser on a real server: one store with one story for all, one page.
 *
 * Each story ends with what the store says.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { access } from 'agentstategraph/access'
import { plans } from 'agentstategraph/plans'
import { epochs } from 'agentstategraph/trust'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { app, letter } from './support/story/app.mjs'
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

afterEach(() => {
  expect(complaints).toEqual([])
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

const goTo = (hash: string) => page.goto(`${scene.server.url}/${hash}`)
const press = (name: string) => page.getByRole('button', { name }).first().click()
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

  it('commits a choice whose branch has moved on, when its conflict is resolved', async () => {
    const ids: string[] = []
    for (const limit of [60, 70]) {
      const speculation = await scene.repo.speculate({ label: `limit ${limit}` })
      await speculation.set('/refunds/limit', limit, `Try ${limit}`)
      ids.push(speculation.id)
    }
    await scene.repo.set('/refunds/limit', 90, 'Raise it meanwhile')
    await goTo(`#/compare/?speculations=${ids.join(',')}`)
    await press('Choose limit 70')
    await page.getByLabel('Why this one').fill('It was asked for')
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByRole('radio', { name: 'limit 70 70' }).check()
    await page.getByRole('button', { name: 'Commit', exact: true }).click()
    await page.getByRole('heading', { name: 'It was asked for' }).waitFor()
    expect(await scene.repo.get('/refunds/limit')).toBe(70)
    expect(await scene.repo.speculations()).toEqual([])
    complaints.splice(0, complaints.length, ...complaints.filter(text => !/409/.test(text)))
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

describe('runs', () => {
  it('answers the question of a thread in a form, forks it, edits a state and replays a step', async () => {
    await goTo('#/runs')
    await page.getByRole('link', { name: 'order-21' }).click()
    await page.getByRole('img', { name: /The graph refund, at ask/ }).waitFor()
    await see('check, attempt 1: The billing system did not answer')
    await page
      .getByRole('listitem')
      .filter({ hasText: /^check \(attempt 2\).*then ask/ })
      .waitFor()
    await press('Fork from here')
    await page.getByRole('heading', { name: /order-21-fork-1/ }).waitFor()
    await page.getByRole('link', { name: 'order-21', exact: true }).click()
    await page.getByLabel('approved').check()
    await page.getByLabel('amount (What is paid back)').fill('100')
    await page.getByLabel('channel').selectOption('voucher')
    await page.getByLabel('Reason', { exact: true }).fill('A good customer')
    let letEnd = (): void => undefined
    letter.mayEnd = new Promise(resolve => {
      letEnd = resolve
    })
    await press('Answer and resume')
    await see('Dear customer, the money is on')
    expect(await page.getByText('its way').count()).toBe(0)
    letEnd()
    await see('the money is on its way')
    const refunds = app.graphs!['refund']!(scene.repo)
    expect(await refunds.thread('order-21').state()).toMatchObject({ status: 'done', state: { amount: 100 } })
    expect(await refunds.thread('order-21-fork-1').state()).toMatchObject({ status: 'paused', state: { amount: 120 } })

    await page.getByRole('link', { name: 'order-13' }).click()
    await see('The order does not exist')
    await page.getByText('Edit the state').click()
    await page.getByLabel('What a node would return').fill('{"order": "order-14"}')
    await press('Save and resume')
    await page.getByRole('heading', { name: /order-13 paused/ }).waitFor()
    await page.getByRole('button', { name: 'Replay from here' }).last().click()
    await page.getByRole('heading', { name: /order-13-replay-1/ }).waitFor()
    expect(await refunds.thread('order-13').state()).toMatchObject({ status: 'paused', state: { order: 'order-14' } })
  })
})

describe('graphs', () => {
  it('are run anew with an input, and a run is taken back', async () => {
    await goTo('#/runs/welcome')
    await page.getByText('New run').click()
    await page.getByLabel('Thread', { exact: true }).fill('Grace')
    await page.getByLabel('Input, as JSON').fill('{"name": "Grace"}')
    await press('Run')
    await page.getByRole('heading', { name: /Grace done/ }).waitFor()
    const welcome = app.graphs!['welcome']!(scene.repo)
    expect(await welcome.thread('Grace').state()).toMatchObject({ state: { text: 'Dear Grace, yours' } })
    await press('Undo')
    await see('It was taken back.')
    expect(await welcome.threads()).toEqual([])
  })

  it('are drawn with the labels of their routes, and with the graphs inside their nodes', async () => {
    await goTo('#/runs/welcome')
    await page.getByRole('img', { name: /The graph welcome: .*look → greet \(new\)/ }).waitFor()
    await page.getByRole('img', { name: /Inside greet: .*draft → sign/ }).waitFor()
    expect(await page.locator('.edge-label').allTextContents()).toEqual(
      expect.arrayContaining(['knownknown', 'newnew']),
    )
  })
})

describe('memory', () => {
  it('shows what an agent knew when it failed', async () => {
    await goTo('#/memory/memory')
    await page.getByRole('link', { name: 'support', exact: true }).click()
    await see('A person has to answer this')
    await page
      .getByRole('link', { name: /memory then, at start/ })
      .last()
      .click()
    await see(/What was known at/)
    await see('"solved": 2')
    expect(await page.locator('pre').filter({ hasText: 'Cem' }).count()).toBe(0)
    expect(await scene.repo.on('memory').get('/support/customers/Cem/seen')).toBe(1)
  })
})

describe('plans', () => {
  it('shows who has what for how long and what waits, checks proofs and changes a priority', async () => {
    await goTo('#/plans')
    const inProgress = page.getByRole('region', { name: 'In progress' })
    await inProgress.getByText(/agent\/ben.*left/s).waitFor()
    await see('waits for t-4, t-2')
    await page.getByRole('img', { name: /t-1 → t-4/ }).waitFor()
    await press('Check the proofs')
    await see('✓ holds')
    await page.getByLabel('Priority of t-3').selectOption('high')
    await see('t-3 is now high.')
    const plan = await plans(scene.repo).get('launch')
    expect((await plan.tasks()).find(({ id }) => id === 't-3')).toMatchObject({ priority: 'high' })
    await press('Undo')
    await see('It was taken back.')
    expect((await plan.tasks()).find(({ id }) => id === 't-3')).toMatchObject({ priority: 'low' })
  })
})

describe('people and agents', () => {
  it('rejects and approves proposals after a look at their diff, and shows grants, refusals, taints and calibration', async () => {
    const waiting = page.getByRole('listitem').filter({ has: page.getByLabel('Reason, for Move more load to node 1') })
    const decide = async (what: 'Approve' | 'Reject', reason: string) => {
      const proposal = await propose(scene.repo, scene.told)
      await goTo('#/people')
      await page.reload()
      await waiting.getByText('/cluster').first().waitFor()
      await waiting.getByLabel(/^Reason/).fill(reason)
      await waiting.getByRole('button', { name: what }).click()
      await see(`${what.replace(/e?$/, 'ed')} “Move more load to node 1”.`)
      return (await access(scene.repo).proposals()).find(({ id }) => id === proposal)
    }
    expect(await decide('Reject', 'Not tonight')).toMatchObject({
      status: 'rejected',
      decision: { reason: 'Not tonight' },
    })
    expect(await scene.repo.get('/cluster/node-1/cpu')).toBe(10)
    expect(await decide('Approve', 'The load test agrees')).toMatchObject({ status: 'approved' })
    expect(await scene.repo.get('/cluster/node-1/cpu')).toBe(85)

    await page.getByRole('link', { name: 'Principals and grants' }).click()
    const tree = page.getByRole('region', { name: 'Who may do what' })
    const below = (grant: string) =>
      tree
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${grant}`) })
        .getByRole('list')
        .first()
    expect(await below('operator lets olga').textContent()).toMatch(
      /^olga lets agent\/deployer read, commit, propose, grant at \/cluster.*agent\/deployer lets agent\/intern read, propose/,
    )
    await below('operator lets mira').getByText('agent/repair').click()
    await page.getByLabel('Reason, for the grant of mira to agent/repair').fill('The disk is new')
    await below('operator lets mira').getByRole('button', { name: 'Revoke' }).click()
    await see('Revoked what mira granted to agent/repair.')
    const grants = await access(scene.repo).grants()
    expect(grants.find(({ to }) => to === 'agent/repair')).toMatchObject({ revoked: { reason: 'The disk is new' } })
    await page.getByRole('link', { name: 'Refusals' }).click()
    await page
      .getByRole('row', { name: /agent\/intern/ })
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Calibration' }).click()
    await page.getByRole('img', { name: /Calibration of agent\/scaler: .*right \d of \d times/ }).waitFor()
    await page.getByRole('link', { name: 'Taints' }).click()
    await see('Its sensor is broken')
    await page.getByLabel('Suspect path').fill('/imports')
    await page.getByLabel('because').fill('The file was damaged')
    await press('Mark')
    await see('The file was damaged')
    const suspect = async () => (await access(scene.repo).taints({ status: 'in-force' })).map(({ path }) => path)
    expect(await suspect()).toEqual(['/cluster/node-3', '/imports'])
    await page.getByLabel('Reason, for /imports').fill('It came again, whole')
    await page.getByRole('listitem').filter({ hasText: '/imports' }).getByRole('button', { name: 'Release' }).click()
    await see('Released /imports.')
    expect(await suspect()).toEqual(['/cluster/node-3'])
    await press('Undo')
    await see('It was taken back.')
    expect(await suspect()).toEqual(['/cluster/node-3', '/imports'])
  })

  it('takes a release back with all that the taint was', async () => {
    const control = access(scene.repo)
    await control.taint({ path: '/secret', effect: 'warn', reason: 'Leaked', severity: 'high', quarantine: true })
    await goTo('#/people/taints')
    // Taints of others are no commits, so the page does not hear of them.
    await page.reload()
    await page.getByLabel('Reason, for /secret').fill('It was none')
    await page.getByRole('listitem').filter({ hasText: '/secret' }).getByRole('button', { name: 'Release' }).click()
    await press('Undo')
    await see('It was taken back.')
    const found = (await control.taints({ status: 'in-force' })).find(({ path }) => path === '/secret')
    expect(found).toMatchObject({ effect: 'warn', severity: 'high', quarantine: true })
  })
})

/** What the stand-alone witness, a program of its own, answers to a request for the head of a log. */
function witnessOf(request: string, logKey: string): { readonly publicKey: string; readonly answer: string } {
  const program = fileURLToPath(new URL('../../../verifiers/witness.mjs', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'asg-witness-'))
  const key = join(folder, 'witness.key')
  const run = (args: readonly string[], input = ''): string =>
    execFileSync(process.execPath, [program, ...args], { input, encoding: 'utf8' })
  const publicKey = run(['key', key, 'witness.example']).trim()
  const [, origin = ''] = /\n\n(.*)\n/.exec(request) ?? []
  const answer = run(['add', '--key', key, '--state', join(folder, 'state'), '--log', origin, logKey, '-'], request)
  return { publicKey, answer }
}

describe('epochs', () => {
  it('seals a quarter, and names the check that a changed file fails', async () => {
    await goTo('#/epochs')
    await page.getByLabel('Reason, for sealing 2026-q2').fill('Launched')
    await press('Seal')
    await see('Sealed 2026-q2.')
    const [sealed] = (await epochs(scene.repo).list()).filter(({ id }) => id === '2026-q2')
    expect(sealed).toMatchObject({ status: 'sealed', summary: 'Launched' })
    await page.getByRole('listitem').filter({ hasText: '2026-q1' }).getByRole('button', { name: 'Verify' }).click()
    await see('Intact: no check failed.')

    const quarter = page.getByRole('listitem').filter({ hasText: '2026-q2' })
    await quarter.getByText(/^Signed head of .* no witness yet/).click()
    await quarter.getByText('Add a witness').click()
    await quarter.getByRole('button', { name: 'Make the request' }).click()
    const request = await quarter.getByText(/^old 0/).textContent()
    const { publicKey, answer } = witnessOf(request!, scene.verifierKey)
    await quarter.getByLabel('What the witness answered').fill(answer)
    await quarter.getByLabel('The public key of the witness').fill(publicKey)
    await quarter.getByRole('button', { name: 'Keep the signature' }).click()
    await quarter.getByText(/witnessed by witness\.example/).waitFor()
    const [witnessed] = (await epochs(scene.repo).list()).filter(({ id }) => id === '2026-q2')
    expect(witnessed).toMatchObject({ signature: expect.stringContaining(answer) })

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('listitem')
        .filter({ hasText: '2026-q1' })
        .getByRole('button', { name: 'Export as a file' })
        .click(),
    ])
    const bundle = readFileSync(await download.path(), 'utf8')
    let exported = ''
    for await (const line of epochs(scene.repo).export('2026-q1')) exported += line
    expect(bundle).toBe(exported)
    const verify = page.getByRole('region', { name: 'Verify a file' })
    const give = async (text: string): Promise<void> => {
      const file = { name: '2026-q1.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) }
      await verify.getByLabel('An exported bundle').setInputFiles(file)
      await verify.getByRole('button', { name: 'Verify' }).click()
    }
    await verify.getByLabel('Public keys').fill(scene.verifierKey)
    await give(bundle)
    await verify.getByText('A key that you trust signed it.').waitFor()
    await give(bundle.replace('Raise the limit', 'Lower the limit'))
    await verify.getByText('Broken: integrity failed.').waitFor()

    await page.getByLabel('New epoch').fill('2026-q3')
    await page.getByLabel('about').fill('Third quarter')
    await press('Open an epoch')
    await see('Opened 2026-q3.')
    const opened = (await epochs(scene.repo).list()).find(({ id }) => id === '2026-q3')
    expect(opened).toMatchObject({ status: 'open', description: 'Third quarter' })
  })
})

describe('a key with fewer rights', () => {
  it('sees what its paths allow, and is offered nothing that would be refused', async () => {
    const token = scene.told.keys['agent/intern']!
    const { page: other, complaints: said } = await openPage(browser, { ...scene, token }, '#/state/main')
    await other.getByRole('button', { name: 'cluster' }).waitFor()
    expect(await other.getByText('refunds').count()).toBe(0)
    await other.getByRole('banner').getByText('agent/intern').waitFor()
    for (const [hash, words] of [
      ['#/blame/main/cluster/node-3/status', 'Its disk is failing'],
      ['#/people', 'Changes that land when'],
      ['#/people/taints', 'Its sensor is broken'],
      ['#/epochs', 'Limits are settled'],
    ] as const) {
      await other.goto(`${scene.server.url}/${hash}`)
      await other.getByText(words).first().waitFor()
      const buttons = await other.getByRole('button').allTextContents()
      expect(
        buttons.filter(text => /Approve|Reject|Mark|Release|Seal|Open an|Export|Set|free|disk/.test(text)),
      ).toEqual([])
    }
    expect(said).toEqual([])
    await other.close()
  })
})
