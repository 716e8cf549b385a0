/** A reader who follows a guide from its first block to its last sees what it says. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listBlocks } from '../../../../scripts/pages/page-blocks.mjs'
import { walkPage } from '../../../../scripts/pages/walk-page.mjs'
import { root } from '../architecture/support/source-file.ts'
import { walks } from './support/walks.ts'

mkdirSync(join(root, 'dist'), { recursive: true })
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** An empty folder with the packages of the workspace in place of installed ones. */
function newFolder(): string {
  const folder = mkdtempSync(join(root, 'dist', 'guide-'))
  folders.push(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  return folder
}

function around(folder: string): NodeJS.ProcessEnv {
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('ASG_'))
  return { ...Object.fromEntries(own), PATH: path, HOME: folder, NO_COLOR: '1' }
}

it('the first program of the README can be run again where it was run', async () => {
  const folder = newFolder()
  const [first] = listBlocks('README.md', readFileSync(`${root}README.md`, 'utf8')).filter(
    ({ language }) => language === 'js',
  )
  expect(await walkPage([first!, first!], { folder, env: around(folder) })).toEqual([])
})

it.concurrent.each(walks)('%s', async page => {
  const folder = newFolder()
  const blocks = listBlocks(page, readFileSync(`${root}${page}`, 'utf8'))
  // The tool itself in place of npx, which takes half a second to find it.
  const rewrite = (code: string): string => code.replaceAll('npx asg', 'asg')
  expect(await walkPage(blocks, { folder, env: around(folder), rewrite })).toEqual([])
})
