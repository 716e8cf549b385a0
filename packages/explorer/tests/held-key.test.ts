/** A key that is held: the page asks for one thing at a time, and what it waits for no more ends on the server. */
import { EventEmitter, once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { type Operation, operations } from '@agentstategraph/server'
import type { Repository } from 'agentstategraph'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openPage, type Scene, startBrowser, startScene } from './support/browser.ts'

const COMMITS = 10
/** An operation that is not ended goes on for so long. */
const workMs = 60_000

let browser: Browser
let scene: Scene
let held: Readonly<Record<string, Operation['run']>> = {}
const events = new EventEmitter()

const runOf = (name: string): Operation['run'] => operations.find(one => one.name === name)!.run

beforeAll(async () => {
  const heldOperations = operations.map(one => ({
    ...one,
    run: (...call: Parameters<Operation['run']>) => (held[one.name] ?? one.run)(...call),
  }))
  const started = Promise.all([
    startBrowser(),
    startScene(tell, {
      operations: heldOperations,
      limits: { workMs },
      log: ({ event, operation, status }) => event === 'request' && events.emit(`${operation} over`, status),
    }),
  ])
  ;[browser, scene] = await started
})

beforeEach(() => {
  held = {}
})

afterAll(async () => {
  await browser.close()
  await scene[Symbol.asyncDispose]()
})

async function tell(repo: Repository): Promise<void> {
  for (let n = 1; n <= COMMITS; n++) await repo.set('/n', n, `Count to ${n}`)
}

const rowsOf = (page: Page) => page.getByRole('listbox', { name: 'Commits, newest first' }).getByRole('option')

it('in the history asks for the commit that is chosen now, and those that were passed end', async () => {
  const { page, complaints } = await openPage(browser, scene)
  await rowsOf(page)
    .nth(COMMITS - 1)
    .waitFor()
  await page.getByRole('listbox', { name: 'Commits, newest first' }).focus()
  let underWay = 0
  let most = 0
  held = {
    get_commit: async context => {
      const repo = await context.repo()
      underWay += 1
      most = Math.max(most, underWay)
      events.emit('get_commit begun')
      try {
        for (;;) {
          await repo.get('/n')
          await setImmediate()
        }
      } finally {
        underWay -= 1
      }
    },
  }
  const ends: unknown[] = []
  for (let n = 0; n < COMMITS; n++) {
    const begun = once(events, 'get_commit begun')
    const over = once(events, 'get_commit over')
    await page.keyboard.press('j')
    await begun
    if (n > 0) ends.push(...(await over))
  }
  // The next one may begin before the server hears that the one before is left.
  expect(most).toBeLessThanOrEqual(2)
  expect(new Set(ends)).toEqual(new Set([499]))
  expect(complaints).toEqual([])
  await page.close()
})

it('on the slider of time steps again when the step before is done', async () => {
  const { page, complaints } = await openPage(browser, scene, '#/state/main')
  const slider = page.getByRole('slider', { name: 'Moment' })
  await slider.waitFor()
  await page.getByText(`after “Count to ${COMMITS}”`).waitFor()
  let steps = 0
  held = {
    query: async (context, input) => {
      if (input['until'] === undefined) return runOf('query')(context, input)
      const answered = once(events, 'answer')
      steps += 1
      events.emit('step begun')
      await answered
      return runOf('query')(context, input)
    },
  }
  const begun = once(events, 'step begun')
  await slider.focus()
  for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowLeft')
  await begun
  events.emit('answer')
  await page.getByText(`after “Count to ${COMMITS - 1}”`).waitFor()
  expect(steps).toBe(1)
  expect(complaints).toEqual([])
  await page.close()
})
