#!/usr/bin/env node
import { load } from '../lib/launch.js'

const { main } = load(new URL('../lib/program/main.cjs', import.meta.url))
process.exitCode = await main(process.argv.slice(2))
