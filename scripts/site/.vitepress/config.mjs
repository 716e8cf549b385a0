/**
 * The site of the pages: the Markdown files of the repository as they are, with a search that works without a service.
 *
 * Links between pages are checked by the build, which fails on a dead one.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const page = (text, link) => ({ text, link })
const below = (folder, names) => names.map(name => page(name, `/docs/${folder}${name}`))

export default defineConfig({
  title: 'AgentStateGraph',
  description: 'Versioned, blameable state for AI agents',
  srcDir: fileURLToPath(new URL('../../../', import.meta.url)),
  srcExclude: ['packages/**', 'bench/**', 'release/**', 'fixtures/**', 'scripts/**', 'verifiers/**'],
  outDir: fileURLToPath(new URL('../dist', import.meta.url)),
  cacheDir: fileURLToPath(new URL('../node_modules/.cache', import.meta.url)),
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md', 'examples/README.md': 'examples/index.md' },
  cleanUrls: true,
  // Sources, not pages: the repository has them.
  ignoreDeadLinks: [/\.(ts|mjs|py|json|ya?ml|png)$/, /\/LICENSE(-\w+)?$/, /localhost|127\.0\.0\.1/],
  markdown: {
    // A placeholder such as <path> in a sentence is text, not a component.
    html: false,
    // Braces in a sentence are text too.
    attrs: { disable: true },
    config: md => {
      md.core.ruler.before('normalize', 'comments', state => {
        state.src = state.src.replace(/<!--[\s\S]*?-->/g, '')
      })
      const fence = md.renderer.rules.fence
      md.renderer.rules.fence = (tokens, at, ...more) =>
        tokens[at].info.trim() === 'mermaid'
          ? `<Drawing code="${encodeURIComponent(tokens[at].content)}" />`
          : fence(tokens, at, ...more)
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [page('Map', '/docs/'), page('Examples', '/examples/'), page('Changes', '/CHANGELOG')],
    sidebar: [
      {
        text: 'First steps',
        items: [
          page('The library', '/docs/guides/library'),
          page('An agent with MCP', '/docs/guides/agent-developer'),
          page('HTTP, keys and clients', '/docs/guides/http'),
          page('The operator', '/docs/guides/operator'),
          page('The auditor', '/docs/guides/auditor'),
          page('Your own backend or client', '/docs/guides/author'),
        ],
      },
      {
        text: 'Guides',
        items: [
          page('Concepts', '/docs/guides/concepts'),
          page('The repository', '/docs/guides/repository'),
          page('Running as a service', '/docs/guides/service'),
          page('Backup and restore', '/docs/backup'),
          page('Signing', '/docs/guides/signing'),
          page('Your code: --app', '/docs/guides/app'),
          page('Recipes', '/docs/guides/recipes'),
        ],
      },
      {
        text: 'Reference',
        items: below('', [
          'reading',
          'graph',
          'memory',
          'plans',
          'schema',
          'access',
          'mcp',
          'cli',
          'explorer',
          'operations',
          'rpc',
          'redis',
          'postgres',
          'object-storage',
          'scale',
          'reliability',
          'export',
          'retention',
          'erasure',
          'auditor',
          'bundle',
          'format',
        ]),
      },
      {
        text: 'How it is made',
        items: [page('Architecture', '/ARCHITECTURE'), page('Contributing', '/CONTRIBUTING')],
      },
    ],
  },
})
