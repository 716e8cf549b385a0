#!/usr/bin/env node
import module from 'node:module'

// Where Node can, it keeps what it compiled for the next run.
module.enableCompileCache?.()
const { main } = await import('../lib/main.js')

process.exitCode = await main(['mcp', ...process.argv.slice(2)])
