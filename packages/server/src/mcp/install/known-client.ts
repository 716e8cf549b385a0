/** The supported clients: where their configuration is, and the form of an entry. */
import { join } from 'node:path'

export interface Machine {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How a client starts our server. */
export interface Entry {
  readonly command: string
  readonly args: readonly string[]
}

export interface KnownClient {
  readonly id: string
  readonly title: string
  /** Paths that exist when the client is installed. */
  readonly sign: (machine: Machine) => string
  readonly file: (machine: Machine) => string
  /** `json`: an object of servers under a key; `toml`: a table for each server. */
  readonly format:
    | { readonly kind: 'json'; readonly key: string; readonly extra?: Readonly<Record<string, string>> }
    | { readonly kind: 'toml'; readonly table: string }
}

/** The name of our entry, in every client. */
export const entryName = 'agentstategraph'

const claudeDesktop = (machine: Machine) => join(applicationData(machine), 'Claude')
const vsCode = (machine: Machine) => join(applicationData(machine), 'Code', 'User')

export const knownClients: readonly KnownClient[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    sign: ({ home }) => join(home, '.claude.json'),
    file: ({ home }) => join(home, '.claude.json'),
    format: { kind: 'json', key: 'mcpServers', extra: { type: 'stdio' } },
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    sign: claudeDesktop,
    file: machine => join(claudeDesktop(machine), 'claude_desktop_config.json'),
    format: { kind: 'json', key: 'mcpServers' },
  },
  {
    id: 'cursor',
    title: 'Cursor',
    sign: ({ home }) => join(home, '.cursor'),
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    format: { kind: 'json', key: 'mcpServers' },
  },
  {
    id: 'vscode',
    title: 'VS Code',
    sign: vsCode,
    file: machine => join(vsCode(machine), 'mcp.json'),
    format: { kind: 'json', key: 'servers', extra: { type: 'stdio' } },
  },
  {
    id: 'codex',
    title: 'Codex',
    sign: ({ home, env }) => env['CODEX_HOME'] || join(home, '.codex'),
    file: ({ home, env }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
    format: { kind: 'toml', table: 'mcp_servers' },
  },
]

/** Where programs of a person keep their settings. */
function applicationData({ home, platform, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env['APPDATA'] || join(home, 'AppData', 'Roaming')
  return env['XDG_CONFIG_HOME'] || join(home, '.config')
}
