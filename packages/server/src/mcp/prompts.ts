/**
 * Prompts: what a person can start from the menu of their client. Each says which tools to call; none holds stored text, so
 * none can carry an instruction that somebody stored.
 */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { plainLine } from './answer/plain-line.ts'

const ref = z.string().max(255).optional().describe('A branch, a tag or a commit; main when left out')

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly fields: z.ZodObject
  text(fields: Readonly<Record<string, string | undefined>>): string
}

const prompts: readonly Prompt[] = [
  {
    name: 'review-changes',
    title: 'Review the changes of a branch',
    description: 'What a branch changes, who decided it and why, and whether it can be merged.',
    fields: z.object({
      source: z.string().max(255).describe('The branch to review'),
      target: ref.describe('The branch that it goes to; main when left out'),
    }),
    text: ({ source, target = 'main' }) =>
      `Review what ${named(source)} changes against ${named(target)}. Call agentstategraph_preview_merge with it as source and ` +
      'target, then agentstategraph_blame with chain for each path that is changed or in conflict. Report for each path: the ' +
      'value before and after, who wrote it, why, and how sure they were. Name conflicts, low confidence and missing reasons. ' +
      'Change nothing. End with what you would do: merge it, ask its author, or leave it.',
  },
  {
    name: 'explain-blame',
    title: 'Explain why a value is as it is',
    description: 'Who decided a value, when, why, how sure they were, what else was considered, and what came of it.',
    fields: z.object({ path: z.string().max(33_000).describe('A path such as /cluster/replicas'), ref }),
    text: ({ path, ref: at = 'main' }) =>
      `Explain why ${named(path)} at ${named(at)} is as it is. Call agentstategraph_blame with chain for that path and ref, and ` +
      'agentstategraph_history for the values before. Tell in a few sentences: who decided it and when, on whose authority, why, ' +
      'how sure they were, what else was considered, what was expected and what was observed. Say what the record does not tell.',
  },
  {
    name: 'resume-work',
    title: 'Go on with earlier work',
    description: 'What was done last, what is open, and the next step.',
    fields: z.object({ agent: z.string().max(255).optional().describe('Whose work; everybody’s when left out'), ref }),
    text: ({ agent, ref: at = 'main' }) =>
      `Find out where the work on ${named(at)} stands. Call agentstategraph_query with that ref${agent === undefined ? '' : ` and agent ${named(agent)}`} ` +
      'for the newest commits, agentstategraph_get_tree for the state, and agentstategraph_list_proposals for what waits for an ' +
      'approval. Say in a few sentences what was done, why, and what is unfinished. Then name the next step and ask before you ' +
      'write. Claim a task of a plan with agentstategraph_claim_task before you work on it.',
  },
]

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, fields, text } of prompts)
    server.registerPrompt(name, { title, description, argsSchema: fields }, given => ({
      messages: [
        { role: 'user' as const, content: { type: 'text' as const, text: text(given as Record<string, string>) } },
      ],
    }))
}

/** What a person gave, as a quoted word of the text. */
function named(text = ''): string {
  return plainLine(JSON.stringify(text))
}
