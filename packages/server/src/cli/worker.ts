/** The worker thread of `asg serve`: the calls of HTTP, and MCP, which is loaded with its first request. */
import type { Mount } from '../http/app-options.ts'
import { runWorker as runOn } from '../http/worker-main.ts'
import type { McpOrders } from '../mcp/http-mount.ts'

export function runWorker(): Promise<void> {
  return runOn((host, { mounts, limits }, onUnexpected) =>
    mounts.map(orders => {
      const { tools } = orders as McpOrders
      let made: Promise<Mount> | undefined
      async function make(): Promise<Mount> {
        const [{ mcpMount }, { toolSet }] = await Promise.all([
          import('../mcp/http-mount.ts'),
          import('../mcp/tool-set.ts'),
        ])
        return mcpMount({ host, tools: toolSet(tools), limits, onUnexpected })
      }
      return {
        path: '/mcp',
        async fetch(request, caller) {
          made ??= make()
          return (await made).fetch(request, caller)
        },
      }
    }),
  )
}
