/** The responses that a server has not finished yet. */
import type { Server, ServerResponse } from 'node:http'

export interface Running {
  /** Resolves when the responses that are under way now are finished, or their connections gone. */
  finished(): Promise<void>
}

export function runningOf(server: Server): Running {
  const open = new Set<ServerResponse>()
  server.on('request', (_request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return {
    async finished() {
      await Promise.all([...open].map(response => new Promise(resolve => response.once('close', resolve))))
    },
  }
}
