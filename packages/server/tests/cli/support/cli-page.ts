/** docs/cli.md, generated from the entries of the table and the program with all commands. */
import type { Command } from 'commander'
import { termOf } from '../../../src/cli/commands/program.ts'
import type { CommandEntry } from '../../../src/cli/parse/command-entry.ts'

const opening = `# The command line

\`asg\` offers the library in a shell. Every command below is an operation of the table that HTTP and MCP are generated from too,
with the same fields; [operations](operations.md) says more about each. A test generates this page from that table.

\`\`\`console
$ asg init
$ asg set /cluster/replicas 3 -m 'Scale to 3 replicas' --confidence 0.85
$ asg blame /cluster/replicas
$ asg branch create feature/net
$ asg set /cluster/network flannel -m 'Try flannel' --ref feature/net
$ asg diff main feature/net --stat
$ asg log --graph
$ asg undo --ref feature/net
\`\`\`

## Where the state is

\`--store\` or \`ASG_STORE\` names a file, or the URL of a running server (\`asg serve\`). Without it, \`asg\` looks for a \`.asg\` folder
here and in the folders above, unless it belongs to another user; \`asg init\` creates one. For a server, \`ASG_TOKEN\` has the key; a file has
no keys to ask for, and whoever can open it is its operator. Commands that read never create a file.

## The agent

On a command that writes, \`--agent\` or \`ASG_AGENT\` names the agent of the commit; the default is the user of this account. On a
command that only reads, \`--agent\` is a filter where the operation has one (\`asg log --agent agent/scaler\`), and is refused
elsewhere. \`ASG_AGENT\` never filters.

To start faster, \`asg\` keeps what V8 compiled of it in \`$XDG_CACHE_HOME/agentstategraph/compiled\` (\`~/.cache\` by default, \`%LOCALAPPDATA%\` on
Windows), a folder that only you can write to. \`NODE_DISABLE_COMPILE_CACHE=1\` keeps nothing; the folder may be deleted at any time.

## Paths

A path in a filter (\`asg log --path /cluster\`, \`asg watch /cluster\`) means that path and everything below it, \`--exact\` the path
alone; see [reading](reading.md#paths-in-filters).

## Values

A value is JSON, or a text when it is not JSON: \`3\`, \`true\`, \`{"a": 1}\`, \`hello\`. \`@file\` reads a file, \`-\` reads stdin. To
write a text that looks like something else, quote it as JSON: \`'"3"'\`, \`'"@home"'\`. What begins like JSON and is none is taken as
a text too, with a note. Long texts, such as an export or a bundle, are named by their file.
Values that JSON lacks are tagged objects such as \`{"$date": "2026-04-01T00:00:00.000Z"}\`.

## Revisions and moments

A revision is a branch, a tag, or a commit id or its beginning. \`HEAD\` is the current branch, \`main~2\` the second commit before it
(\`HEAD^\` the one before), \`main@{yesterday}\` the branch as it was then. \`asg show\` and \`asg diff main~2\` go as far as the current
branch. A moment is \`yesterday\`, \`2 hours ago\`, \`monday\`, \`1 May\`, \`14:30\` or ISO 8601; \`--expires\` takes those to come:
\`tomorrow\`, \`in 2 hours\`, \`30d\`. Without a zone it is of this machine.

## Output

The default output is tables, coloured only on a terminal and never with \`NO_COLOR\`. With \`--json\` (or \`ASG_OUTPUT=json\`) stdout has
one JSON document, the result of the operation, and messages go to stderr. Streams are JSON lines.
A failure is \`{"error": {"code", "kind", "message", "hint", "data"}}\`. Control characters in stored text are always escaped.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | a failure, or \`asg diff\` found differences |
| 2 | the command is malformed, or the value cannot be stored |
| 3 | a conflict with the current state |
| 4 | not allowed, or no valid key |
| 5 | not found |
| 6 | verification failed |
| 7 | the branch has moved: \`--only-if-head\` or \`--only-if-value\` did not hold |

## Completion

\`\`\`console
$ source <(asg completion bash)     # or zsh
$ asg completion fish | source
\`\`\`

They complete commands, options, and what the store has: branches, tags, paths, speculations, epochs. \`asg man folder\` writes manual
pages; \`man folder/asg.1\` shows one.

## On a terminal

A long answer goes through \`$ASG_PAGER\`, \`$PAGER\` or \`less -FRX\`; \`PAGER=cat\` leaves it out. The current branch is shown before the
answer, and the command that people usually want next after it (\`ASG_NEXT=off\` leaves that out). Work that takes more than a second
shows how far it is, and its rate. Times are those of this machine, with the offset. \`asg undo\` changes the current branch only;
\`--ref\` names another one, and \`--dry-run\` shows what it would do.
`

/** Text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
}

function usageOf(command: Command, words: readonly string[]): string {
  return ['asg', ...words.slice(0, -1), termOf(command)].join(' ')
}

function optionRows(command: Command): readonly string[] {
  return command.options
    .filter(({ hidden, helpGroupHeading }) => !hidden && helpGroupHeading === undefined)
    .map(({ flags, description }) => `| \`${flags.replaceAll('|', '\\|')}\` | ${cell(description)} |`)
}

function commandText(
  command: Command,
  words: readonly string[],
  about: string,
  examples: CommandEntry['examples'],
): string {
  const described = command.registeredArguments.filter(({ description }) => description !== '')
  const places = described.map(place => `| \`${place.name()}\` | ${cell(place.description)} |`)
  const rows = [...places, ...optionRows(command)]
  const lines = examples.map(({ title, line }) => `# ${title}\n$ ${line}`)
  return [
    `### \`${usageOf(command, words)}\`\n\n${about}.\n`,
    rows.length === 0 ? [] : [`| | |\n|---|---|\n${rows.join('\n')}\n`],
    lines.length === 0 ? [] : [`\`\`\`console\n${lines.join('\n')}\n\`\`\`\n`],
  ]
    .flat()
    .join('\n')
}

function findCommand(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => command.commands.find(child => child.name() === word)!, program)
}

export function cliPage(entries: readonly CommandEntry[], program: Command): string {
  const general = program.options.map(({ flags, description }) => `| \`${flags}\` | ${cell(description)} |`)
  const groups = [...new Set(entries.map(({ group }) => group))].map(group => {
    const commands = entries
      .filter(entry => entry.group === group)
      .map(entry => {
        const about = `${entry.summary} (operation \`${entry.name}\`)`
        return commandText(findCommand(program, entry.words), entry.words, about, entry.examples)
      })
    return `## ${group.charAt(0).toUpperCase()}${group.slice(1)}\n\n${commands.join('\n')}`
  })
  const operationWords = new Set(entries.map(({ words }) => words.join(' ')))
  const isOperation = (chain: readonly Command[]): boolean =>
    operationWords.has(chain.map(command => command.name()).join(' '))
  const own = program.commands
    .flatMap(command => (command.commands.length === 0 ? [[command]] : command.commands.map(child => [command, child])))
    .filter(chain => !isOperation(chain))
    .map(chain => {
      const command = chain.at(-1)!
      const words = chain.map(each => each.name())
      return commandText(command, words, command.description(), [])
    })
  return [
    opening,
    `## For every command\n\n| | |\n|---|---|\n${general.join('\n')}\n`,
    `## This machine\n\n${own.join('\n')}`,
    ...groups,
  ].join('\n')
}
