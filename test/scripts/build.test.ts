import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeDir } from '../helpers/remove-dir.ts'

type Metafile = { outputs: Record<string, { inputs: Record<string, unknown> }> }

let dir = ''
let notices = ''
let daemon = ''
let bundled: string[] = []
let inputs: string[] = []
let inDaemon: string[] = []
let filesWith: (part: string) => string[] = () => []

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hf-built-'))
  const metafile = join(dir, 'meta.json')
  execFileSync(process.execPath, ['scripts/build.mjs', '--out', join(dir, 'dist'), '--metafile', metafile])
  notices = readFileSync(join(dir, 'dist/THIRD-PARTY.txt'), 'utf8')
  daemon = readFileSync(join(dir, 'dist/daemon.js'), 'utf8')
  const { outputs }: Metafile = JSON.parse(readFileSync(metafile, 'utf8'))
  inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const dirs = inputs.flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [])
  bundled = [...new Set(dirs)].sort()
  inDaemon = Object.entries(outputs).flatMap(([path, output]) =>
    basename(path) === 'daemon.js' ? Object.keys(output.inputs) : [],
  )
  filesWith = (part) =>
    Object.entries(outputs)
      .filter(([, output]) => Object.keys(output.inputs).some((path) => path.includes(part)))
      .map(([path]) => basename(path))
})

afterAll(() => removeDir(dir))

/** Heading → text, of what stands between two rules. */
const sections = () =>
  new Map(
    notices
      .split(`\n${'-'.repeat(80)}\n`)
      .slice(1)
      .map((section) => {
        const [title = '', ...text] = section.split('\n')
        return [title, text.join('\n')] as const
      }),
  )

test('every package in a bundle is named with its version, and no other', () => {
  const titles = bundled.map((dir) => {
    const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
    return `${name} ${version} (${license})`
  })
  expect(titles.length).toBeGreaterThan(10)
  expect([...sections().keys()]).toEqual([...new Set(titles)])
})

test('each has the text of its licence: who holds the rights, and what is permitted', () => {
  const short = [...sections()].filter(
    ([title, text]) =>
      !title.endsWith('(Unlicense)') &&
      (!/copyright/i.test(text) ||
        !/permission is hereby granted|permission to use, copy|redistribution and use|apache license\s+version 2/i.test(
          text,
        )),
  )
  expect(short.map(([title]) => title)).toEqual([])
})

test('a package without a licence file is quoted from its README', () => {
  const without = bundled.filter((dir) => !readdirSync(dir).some((name) => /^licen[cs]e/i.test(name)))
  expect(without).toContain('node_modules/pgpass')
  expect(notices).toContain('Copyright (c) 2013-2016 Hannes Hörl')
})

test('notices inside the sources stay in the bundle', () => {
  expect(daemon).toContain('Bundled license information')
})

test('of zod, the daemon carries its small half, and none of its words', () => {
  const zod = inDaemon.filter((path) => path.includes('node_modules/zod/'))
  expect(zod.some((path) => path.includes('/mini/'))).toBe(true)
  expect(zod.filter((path) => /\/(locales|classic)\//.test(path))).toEqual([])
})

test('the libraries for traces are in a file of their own', () => {
  const withTraces = filesWith('@opentelemetry/sdk-trace')
  expect(withTraces.sort()).toEqual(['traces.js'])
})

test('the MCP library is in a file of its own, loaded by those who serve tools', () => {
  expect(filesWith('@modelcontextprotocol').sort()).toEqual(['mcp.js'])
})
