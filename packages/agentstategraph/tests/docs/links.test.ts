/** Links between the pages lead somewhere: the file is there, and so is the heading. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../architecture/support/source-file.ts'

const own = ['', 'examples/', 'packages/agentstategraph/', 'packages/server/'].flatMap(folder =>
  readdirSync(`${root}${folder}`)
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}${name}`),
)
const docs = readdirSync(`${root}docs`, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.md'))
  .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
const pages = [...own, ...docs]

/** The text without what is inside fences and code spans, where nothing is a link. */
function proseOf(page: string): string {
  const text = readFileSync(`${root}${page}`, 'utf8')
  return text
    .replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '')
    .replace(/(`+)[^`][\s\S]*?\1/g, match => match.replace(/[[\]()]/g, ' '))
}

/** The anchors of a page, as the renderers of Markdown make them from its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(`${root}${page}`, 'utf8').replace(/^(`{3,})[\s\S]*?^\1[ \t]*$/gm, '')
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, title]) => title!)
  const seen = new Map<string, number>()
  return new Set(
    headings.map(title => {
      const slug = title
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

function faultsOf(page: string): string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  return links.flatMap(target => {
    if (/^[a-z]+:/.test(target)) return []
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
    if (!existsSync(`${root}${file}`)) return [`${page}: there is no ${target}`]
    if (anchor === undefined || !file.endsWith('.md') || !statSync(`${root}${file}`).isFile()) return []
    return anchorsOf(file).has(anchor) ? [] : [`${page}: ${file} has no heading for #${anchor}`]
  })
}

it('every link between the pages leads to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(30)
  expect(pages.flatMap(faultsOf)).toEqual([])
})

it('every page and every guide is on the map', () => {
  const map = readFileSync(`${root}docs/README.md`, 'utf8')
  const listed = docs.filter(page => page !== 'docs/README.md' && !page.startsWith('docs/design/'))
  expect(listed.filter(page => !map.includes(`(${relative('docs', page)})`))).toEqual([])
})

it('every example is in the index of examples', () => {
  const index = readFileSync(`${root}examples/README.md`, 'utf8')
  const programs = readdirSync(`${root}examples`).filter(name => name.endsWith('.ts') && name !== 'temporary-file.ts')
  expect(programs.filter(name => !index.includes(`(${name})`))).toEqual([])
})
