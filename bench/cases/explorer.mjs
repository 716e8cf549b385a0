/**
 * The history of the Explorer in a headless Chromium, at 100,000 commits: first paint, frames while it is scrolled, and how long
 * a key takes until its effect is painted.
 *
 * The commits are real: work on main beside short branches that are merged. Frames are what the page is given by
 * `requestAnimationFrame`; latency is the Event Timing of the browser, which counts in steps of 8 ms. Browser, server and case
 * share the machine.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'agentstategraph'
import { chromium } from 'playwright-core'
import { median } from '../measure.mjs'
import { oursAtMost, span } from '../reach.mjs'
import { callsOf, startServer, stop, token } from '../server-child.mjs'

export const name = 'explorer'

export const reach = {
  paint: oursAtMost(0.5, '≤ 0.5 s'),
  middle: oursAtMost(0.017, '≤ 17 ms'),
  late: oursAtMost(0.033, '≤ 33 ms'),
  key: oursAtMost(0.05, '≤ 50 ms'),
}

const executablePath = process.env['ASG_CHROMIUM'] ?? '/usr/bin/chromium'
const LOADS = 5
const FRAMES = 600
const ROW_HEIGHT = 34

export async function run({ driver, makeFolder, size }) {
  if (!existsSync(executablePath)) return { rows: [], sides: [{ side: 'no Chromium is installed', driver: 'none' }] }
  const count = size(100_000)
  const store = join(makeFolder(), 'state.db')
  await fill(store, count)
  const server = await startServer({ kind: 'ours', store })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const loads = []
    for (let n = 0; n < LOADS; n++) loads.push(await firstPaint(browser, server.url))
    const page = await openHistory(browser, server.url)
    const whileLoading = await framesOf(page, loadAll, count)
    const slow = await framesOf(page, scroll, 3 * ROW_HEIGHT)
    const fast = await framesOf(page, scroll, 100 * ROW_HEIGHT)
    const keys = await latencyOf(page, ['j', 'j', 'k', 'PageDown', 'G', 'k', 'g', 'j'], 5)
    const live = await framesOf(page, waitForNew, callsOf(server.url))
    const words = `${count.toLocaleString('en-US')} commits`
    const rows = [
      {
        work: `first paint of the page, ${words}`,
        ours: span(median(loads.map(({ paint }) => paint))),
        reach: 'paint',
      },
      { work: 'first rows of the history', ours: span(median(loads.map(({ rows }) => rows))), reach: 'paint' },
      ...frameRows('while all pages are loaded', whileLoading),
      ...frameRows('scrolled by 3 rows a frame', slow),
      ...frameRows('scrolled by 100 rows a frame', fast),
      ...frameRows('while new commits come', live),
      { work: 'a key until its effect is painted, p95', ours: span(share(keys, 0.95)), reach: 'key' },
    ]
    return { rows, sides: [{ side: 'ours', driver: `${driver.name}, Chromium ${browser.version()}` }] }
  } finally {
    await browser.close()
    await stop(server)
  }
}

/** Of every hundred commits on main, one merges a branch with three commits of its own. */
async function fill(store, count) {
  const repo = await open(store)
  let made = 0
  while (made < count) {
    if (made % 100 !== 96 || made + 4 > count) await change(repo, made++)
    else {
      const trial = `try-${made}`
      await repo.branch(trial)
      for (let n = 0; n < 3; n++) await change(repo.on(trial), made++)
      await repo.merge(trial, { description: `Take in what ${trial} found` })
      made++
    }
  }
  await repo.close()
}

function change(repo, n) {
  const why = {
    description: `Adjust the quota of region ${n % 37} to ${n}`,
    reasoning: 'Traffic is up, and the last check agreed',
    confidence: (n % 100) / 100,
    category: n % 5 === 0 ? 'Fix' : 'Refine',
  }
  return repo.as(`agent/${n % 20}`).set(`/regions/${n % 37}/quota`, n, why)
}

async function openHistory(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(key => sessionStorage.setItem('asg-token', key), token)
  await page.goto(url)
  await page.locator('.row').first().waitFor()
  return page
}

/** Seconds from the beginning of the navigation, in a browser that has cached nothing. */
async function firstPaint(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript(key => {
    sessionStorage.setItem('asg-token', key)
    window.rowsShown = new Promise(resolve => {
      const look = () => {
        if (document.querySelector('.row') === null) requestAnimationFrame(look)
        else requestAnimationFrame(() => resolve(performance.now()))
      }
      requestAnimationFrame(look)
    })
  }, token)
  await page.goto(url)
  const [paint, rows] = await page.evaluate(async () => {
    // A browser tells of a paint after the frame of it.
    const painted = new Promise(resolve => {
      const hear = list => {
        const [first] = list.getEntriesByName('first-contentful-paint')
        if (first !== undefined) resolve(first.startTime)
      }
      new PerformanceObserver(hear).observe({ type: 'paint', buffered: true })
    })
    return Promise.all([painted, window.rowsShown])
  })
  await context.close()
  return { paint: paint / 1000, rows: rows / 1000 }
}

/** The seconds between frames while something is done in the page. */
async function framesOf(page, act, input) {
  await page.evaluate(() => {
    window.frames_ = []
    window.isWatching = true
    let last = performance.now()
    const next = now => {
      window.frames_.push(now - last)
      last = now
      if (window.isWatching) requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  await act(page, input)
  const frames = await page.evaluate(() => {
    window.isWatching = false
    return window.frames_.slice(1)
  })
  return frames.map(ms => ms / 1000)
}

/** Stays at the end of what is loaded until everything is. */
async function loadAll(page, count) {
  await page.evaluate(
    async ([wanted, rowHeight]) => {
      const box = document.querySelector('.rows')
      while (box.scrollHeight < wanted * rowHeight) {
        box.scrollTop = box.scrollHeight
        await new Promise(requestAnimationFrame)
      }
    },
    [count, ROW_HEIGHT],
  )
}

async function scroll(page, step) {
  await page.evaluate(
    async ([step, frames]) => {
      const box = document.querySelector('.rows')
      box.scrollTop = 0
      for (let n = 0; n < frames; n++) {
        box.scrollTop += step
        await new Promise(requestAnimationFrame)
      }
    },
    [step, FRAMES],
  )
}

async function waitForNew(page, call) {
  for (let n = 0; n < 10; n++) {
    const description = `A live commit ${n}`
    await call('POST', '/api/state/main/set', { path: '/live', value: n, description })
    await page.evaluate(() => (document.querySelector('.rows').scrollTop = 0))
    await page.locator('.row').filter({ hasText: description }).waitFor()
  }
}

/** The seconds from each key to the next paint. An event that took less than 16 ms is not reported, and counts as 16 ms. */
async function latencyOf(page, keys, rounds) {
  await page.evaluate(() => {
    window.taken = new Map()
    const note = ({ interactionId, duration }) =>
      interactionId > 0 && window.taken.set(interactionId, Math.max(duration, window.taken.get(interactionId) ?? 0))
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type: 'event', durationThreshold: 16 })
    document.querySelector('.rows').focus()
  })
  for (let n = 0; n < rounds; n++) {
    for (const key of keys) {
      await page.keyboard.press(key)
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
    }
  }
  const taken = await page.evaluate(() => [...window.taken.values()])
  return Array.from({ length: keys.length * rounds }, (_, n) => (taken[n] ?? 16) / 1000)
}

function frameRows(when, frames) {
  return [
    { work: `frames ${when}, p50`, ours: span(share(frames, 0.5)), reach: 'middle' },
    { work: `frames ${when}, p95`, ours: span(share(frames, 0.95)), reach: 'late' },
  ]
}

function share(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}
