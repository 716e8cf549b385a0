/** A server of files for pages that need an origin: the packed library, and scripts of the tests. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const folders: Readonly<Record<string, string>> = {
  lib: fileURLToPath(new URL('../../../agentstategraph/lib/', import.meta.url)),
  pages: fileURLToPath(new URL('../pages/', import.meta.url)),
}

export interface FileServer extends AsyncDisposable {
  /** The address of an empty page whose origin is this server. */
  readonly url: string
}

/** `/sandboxed` is the empty page too, without the rights of an origin. */
export async function serveFiles(): Promise<FileServer> {
  const server = createServer((request, response) => {
    const [, folder = '', ...rest] = request.url!.split('/')
    if (folders[folder] === undefined) {
      const policy = folder === 'sandboxed' ? { 'content-security-policy': 'sandbox allow-scripts' } : {}
      response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*', ...policy })
      response.end('<!doctype html><link rel="icon" href="data:,"><title>A page of the tests</title>')
      return
    }
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
    response.end(readFileSync(folders[folder] + rest.join('/')))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
