/**
 * The viewer of bundles in a headless Chromium: how long it verifies, until it shows what is in a bundle, and what its
 * process holds.
 *
 * CPU is read a moment after the verdict, so some of the showing is in that of the smallest bundle. The state of each commit
 * has 2 KB. The largest bundle is shown only when its reader asks for it, and is not shown here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memory } from 'agentstategraph/backends'
import { epochs } from 'agentstategraph/trust'
import { chromium } from 'playwright-core'
import { makeEpoch, writeLines } from '../epoch-file.mjs'
import { bytes, oursAtMost, span } from '../reach.mjs'

export const name = 'viewer'

export const reach = {
  small: oursAtMost(0.7, '≤ 0.7 s'),
  middle: oursAtMost(3, '≤ 3 s'),
}

const viewer = new URL('../../packages/server/verifiers/viewer.html', import.meta.url)
const executablePath = process.env['ASG_CHROMIUM'] ?? '/usr/bin/chromium'

export async function run({ driver, makeFolder, size }) {
  if (!existsSync(executablePath)) return { rows: [], sides: [{ side: 'no Chromium is installed', driver: 'none' }] }
  const rows = []
  const folder = makeFolder()
  const cases = [
    [1000, 'small'],
    [10_000, 'middle'],
    [100_000, undefined],
  ]
  for (const [count, goal] of cases) {
    const commits = size(count)
    const file = join(folder, `${count}.jsonl`)
    const repo = await makeEpoch(memory(), commits)
    await writeLines(epochs(repo).export('epoch'), file)
    await repo.close()
    const { verified, cpu, shown, held } = await measured(file)
    const words = `${commits.toLocaleString('en-US')} commits`
    rows.push({ work: `verdict on ${words}`, ours: span(verified), ...(goal === undefined ? {} : { reach: goal }) })
    rows.push({ work: 'CPU of the tab at the verdict', ours: span(cpu) })
    if (shown !== undefined) rows.push({ work: 'until they are shown', ours: span(shown) })
    rows.push({ work: 'memory of the tab, of which an empty one has 135 MB', ours: bytes(held) })
  }
  return { rows, sides: [{ side: 'ours', driver: `${driver.name}, Chromium` }] }
}

/** Seconds, and the most that the process of the page held. */
async function measured(file) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(600_000)
    await page.goto(viewer.href)
    const session = await browser.newBrowserCDPSession()
    // One has the page, another waits for the next page.
    const processes = async () =>
      (await session.send('SystemInfo.getProcessInfo')).processInfo.filter(({ type }) => type === 'renderer')
    const cpuTime = async () => (await processes()).reduce((sum, { cpuTime }) => sum + cpuTime, 0)
    const renderers = (await processes()).map(({ id }) => id)
    let held = 0
    const watch = setInterval(() => {
      held = Math.max(held, ...renderers.map(residentOf))
    }, 50)
    const before = await cpuTime()
    const began = performance.now()
    await page.getByLabel('Bundle').setInputFiles(file)
    await page.getByText('Verified').first().waitFor()
    const cpu = (await cpuTime()) - before
    const report = page.locator('.report[data-failed="none"]')
    await report.waitFor()
    const isShown = (await page.getByRole('button', { name: 'Show it' }).count()) === 0
    if (isShown) await report.locator('table').waitFor()
    const shown = isShown ? (performance.now() - began) / 1000 : undefined
    clearInterval(watch)
    const [, seconds] = /Verified in ([\d.]+) s/.exec(await report.textContent())
    return { verified: Number(seconds), cpu, shown, held }
  } finally {
    await browser.close()
  }
}

function residentOf(id) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1024
}
