/**
 * The commands that are not operations: they start a server, check this machine, or create a store.
 *
 * Each is loaded when it is called. Help and completion need only what is listed here.
 */
import type { BuiltinCommand } from './builtin-command.ts'
import { limitOptions } from './limit-flags.ts'

export const builtinCommands: readonly BuiltinCommand[] = [
  {
    name: 'init',
    args: '[folder]',
    summary: 'Create a store in a .asg folder',
    options: [],
    run: async call => (await import('./init.ts')).init(call),
  },
  {
    name: 'status',
    args: '',
    summary: 'Show the store, the current branch and what is open',
    options: [{ flags: '--branch', about: 'Only the name of the current branch, for a prompt' }],
    run: async call => (await import('./status.ts')).status(call),
  },
  {
    name: 'switch',
    args: '<branch>',
    summary: 'Choose the branch of commands that name none; it is kept beside the store',
    options: [{ flags: '-c, --create', about: 'Create it where the current one is' }],
    run: async call => (await import('./switch.ts')).switchBranch(call),
  },
  {
    name: 'config',
    args: '[name] [value]',
    summary: 'Show or set what is kept beside the store: branch, signer, agent',
    options: [{ flags: '--unset', about: 'Remove the setting' }],
    run: async call => (await import('./config.ts')).config(call),
  },
  {
    name: 'key new',
    args: '[file]',
    summary: 'Make the key that signs this store, and print its public half',
    options: [
      { flags: '--name <name>', about: 'The name in the key, such as example.org/log (default: agentstategraph)' },
    ],
    run: async call => (await import('./key.ts')).newKey(call),
  },
  {
    name: 'key show',
    args: '[file]',
    summary: 'Print the public half of the key',
    options: [],
    run: async call => (await import('./key.ts')).showKey(call),
  },
  {
    name: 'key rotate',
    args: '[file]',
    summary: 'Replace the key by a new one that the old one vouches for',
    options: [],
    run: async call => (await import('./key.ts')).rotateKey(call),
  },
  {
    name: 'bundle viewer',
    args: '',
    summary: 'Write the web page that verifies and shows bundles, one file',
    options: [{ flags: '--out <file>', about: 'The new file (default: viewer.html)' }],
    run: async call => (await import('./bundle/bundle-viewer.ts')).bundleViewer(call),
  },
  {
    name: 'serve',
    args: '',
    summary: 'Serve the store over HTTP',
    options: [
      { flags: '--port <number>', about: 'The port (default: 3001; 0 picks a free one)' },
      { flags: '--host <address>', about: 'The address to listen on (default: 127.0.0.1)' },
      {
        flags: '--allow-host <name...>',
        about: 'Host names of the server, in addition to those of the loopback (default: none)',
      },
      {
        flags: '--allow-origin <origin...>',
        about: 'Origins of web pages that may call the server (default: its own)',
      },
      { flags: '--read-only', about: 'Refuse every write (default: off)' },
      {
        flags: '--propose',
        about: 'Turn every write into a proposal that another principal has to approve (default: off)',
      },
      { flags: '--tools <set>', about: 'The MCP tools: core, standard (default), all, or names with commas between' },
      { flags: '--new-token', about: 'Replace the token of the server, and show the new one' },
      ...limitOptions,
    ],
    run: async call => (await import('./serve.ts')).serve(call),
  },
  {
    name: 'ui',
    args: '[store]',
    summary: 'Show a store in the browser: a file, until the command is stopped, or a server',
    options: [
      { flags: '--port <number>', about: 'The port (default: a free one)' },
      { flags: '--read-only', about: 'Refuse every write (default: off)' },
      { flags: '--no-open', about: 'Only print the address; start no browser' },
    ],
    run: async call => (await import('./ui.ts')).ui(call),
  },
  {
    name: 'mcp',
    args: '[args...]',
    summary: 'Serve the store to a model over MCP; `asg mcp --help` tells more',
    options: [],
    passThrough: true,
    run: async call => (await import('./mcp.ts')).mcp(call),
  },
  {
    name: 'rpc',
    args: '[args...]',
    summary: 'Serve a client in another language over standard input and output (docs/rpc.md)',
    options: [],
    passThrough: true,
    run: async call => (await import('./rpc.ts')).rpc(call),
  },
  {
    name: 'copy',
    args: '<from> <to>',
    summary: 'Copy a whole store to another backend, with all ids; run again, it goes on where it ended',
    options: [],
    run: async call => (await import('./copy.ts')).copy(call),
  },
  {
    name: 'backup',
    args: '<file>',
    summary: 'Copy the store to a new file while others use it, and verify the copy',
    options: [],
    run: async call => (await import('./backup.ts')).backupStore(call),
  },
  {
    name: 'restore',
    args: '<file>',
    summary: 'Make the store from a backup, after verifying it',
    options: [
      { flags: '--replace', about: 'Replace a store that exists; it is kept under another name' },
      {
        flags: '-m, --message <reason>',
        about: 'Why, for the journal, where the store had more entries than the backup',
      },
    ],
    run: async call => (await import('./backup.ts')).restoreStore(call),
  },
  {
    name: 'doctor',
    args: '',
    summary: 'Check this machine, the store and the server',
    options: [],
    run: async call => (await import('./doctor.ts')).doctor(call),
  },
  {
    name: 'man',
    args: '[folder]',
    summary: 'Write the manual pages of all commands into a folder',
    options: [],
    listsCommands: true,
    run: async call => (await import('./man-page.ts')).man(call),
  },
  {
    // Called by the completion scripts.
    name: '__complete',
    args: '[words...]',
    summary: 'Print what can follow, from the store',
    options: [],
    isHidden: true,
    passThrough: true,
    run: async call => (await import('./completion/values.ts')).completionValues(call),
  },
  {
    name: 'completion',
    args: '<shell>',
    summary: 'Print the completion script for bash, zsh or fish',
    options: [],
    listsCommands: true,
    run: async call => (await import('./completion.ts')).completion(call),
  },
]
