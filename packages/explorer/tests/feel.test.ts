/** How the page feels in every view: for a screen reader, without rights to write, on a narrow screen, over plain http. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'
import { storyClock, type Told, tellStory } from './support/story/tell.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Each view with words that it shows when it is there. */
const places = [
  ['#/compare/main?with=raise-limits', 'From main to raise-limits'],
  ['#/compare', 'Open speculations'],
  ['#/runs/refund?thread=order-21', 'waits for an answer'],
  ['#/memory/memory?agent=support', 'What is known now'],
  ['#/plans', 'waits for t-4, t-2'],
  ['#/people', 'Move the load to node 1'],
  ['#/people/grants', 'Who may do what, and from whom'],
  ['#/people/sessions', 'opened from'],
  ['#/people/taints', 'Its sensor is broken'],
  ['#/people/refusals', 'refused by'],
  ['#/people/calibration', 'outcomes'],
  ['#/epochs', 'Limits are settled'],
  ['#/store', 'What is kept'],
] as const

/** Words of buttons that write. */
const writing =
  /^(Merge|Commit|Choose .*|Approve|Reject|Release|Mark|Revoke|Seal|Open an epoch|Set|Answer and resume|Fork from here|Replay from here|Run|Save|Build the indexes again|Undo)$/

let browser: Browser
let scene: Scene & { readonly told: Told }

beforeAll(async () => {
  const started = Promise.all([
    startBrowser(['--host-resolver-rules=MAP team.example 127.0.0.1']),
    startScene(tellStory, { clock: storyClock(), mode: 'read-only', hosts: ['team.example'] }),
  ])
  ;[browser, scene] = await started
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

async function show(page: Page, [hash, words]: readonly [string, string]): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/${hash}`)
  await page.getByText(words).first().waitFor()
}

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe calls serious or critical, of all its rules or of some. */
async function seriousIn(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  const options = rules === undefined ? {} : { runOnly: rules }
  const found = await page.evaluate(`${axe}; axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`)
  return (found as readonly Finding[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe('every view', () => {
  it('has no serious fault for a screen reader or a keyboard, and offers nothing that a read-only server refuses', async () => {
    const { page, complaints } = await openPage(browser, scene)
    await page.getByText('read only').waitFor()
    for (const place of places) {
      await show(page, place)
      expect([place[0], await seriousIn(page)]).toEqual([place[0], []])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect([place[0], 'dark', await seriousIn(page, ['color-contrast'])]).toEqual([place[0], 'dark', []])
      await page.emulateMedia({ colorScheme: 'light' })
      const buttons = await page.getByRole('button').allTextContents()
      expect(buttons.filter(text => writing.test(text.trim()))).toEqual([])
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('is reached and left with the keyboard alone', async () => {
    const { page, complaints } = await openPage(browser, scene)
    await page.getByText('read only').waitFor()
    const links = page.getByRole('navigation', { name: 'Views' }).getByRole('link')
    const views = await links.allTextContents()
    for (const name of views.filter(text => text !== 'Playground')) {
      const link = links.filter({ hasText: name })
      // Tab leads to each link, however many things were focused before.
      await page.evaluate('document.activeElement.blur()')
      while (!(await link.evaluate(element => element === document.activeElement))) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('nav a[aria-current=page]').filter({ hasText: name }).waitFor()
      await page.keyboard.press('Tab')
      expect([name, await page.evaluate('document.activeElement !== document.body')]).toEqual([name, true])
    }
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows times in the zone of the reader, with UTC on hover', async () => {
    const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    const { page } = await openPage(context, scene, '#/blame/main/cluster/node-3/status')
    const time = page.locator('.write time').first()
    await time.waitFor()
    expect(await time.textContent()).toContain('11:36')
    expect(await time.getAttribute('title')).toMatch(/^2026-05-12 02:36:.* UTC$/)
    await context.close()
  })

  it('works over plain http on the name of a team host and on a narrow screen', async () => {
    const url = scene.server.url.replace('127.0.0.1', 'team.example')
    const { page, complaints } = await openPage(browser, { ...scene, server: { ...scene.server, url } })
    await page.setViewportSize({ width: 390, height: 800 })
    expect(
      await page.evaluate('[crypto.subtle, navigator.locks, navigator.clipboard].every(one => one === undefined)'),
    ).toBe(true)
    for (const place of places) {
      await show(page, place)
      const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      expect([place[0], await page.evaluate(isWide)]).toEqual([place[0], false])
      expect([place[0], await seriousIn(page, ['scrollable-region-focusable'])]).toEqual([place[0], []])
    }
    await show(page, ['#/state/main/cluster', 'replicas'])
    await page.getByRole('button', { name: 'Copy path' }).click()
    expect(await page.getByLabel('The path, to be copied').inputValue()).toBe('/cluster')
    expect(complaints).toEqual([])
    await page.close()
  })
})
