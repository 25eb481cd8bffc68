// A browser's and a program's way to a daemon: over TCP, with a cookie or a token, and also as neither would ask.
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import type { TokenMadeJson, WebJson } from '../../src/protocol/web-json.ts'
import type { World } from './world.ts'

export type WebAnswer = { status: number; headers: IncomingHttpHeaders; body: string }
export type WebAsk = { method?: string; headers?: Record<string, string>; body?: string; host?: string }
export type Opened = WebJson & { link: string; port: number; address: string }

export const openWeb = (world: World, ...flags: string[]) =>
  world.json<Opened>(['web', '--no-open', ...flags])

export function askWeb(port: number, path: string, ask: WebAsk = {}): Promise<WebAnswer> {
  const { method = 'GET', headers = {}, body } = ask
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const options = { agent: false, host: '127.0.0.1', port, method, path, headers: { ...type, ...headers } }
    const call = request(options, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text }),
      )
    })
    call.on('error', reject).end(body)
  })
}

/** Opens the link as a browser does, and gives the `cookie` header that it sends from then on. */
export async function login(world: World): Promise<{ port: number; cookie: string; origin: string }> {
  const { link, port, address } = await openWeb(world)
  const answer = await askWeb(port, link.slice(address.length))
  const [cookie = ''] = answer.headers['set-cookie']?.[0]?.split(';') ?? []
  if (answer.status !== 303 || cookie === '') throw new Error(`no cookie: ${answer.status} ${answer.body}`)
  return { port, cookie, origin: address }
}

export const makeToken = async (world: World, name = 'ci', ...flags: string[]) =>
  (await world.json<TokenMadeJson>(['web', 'token', name, ...flags])).secret

/** Bytes as they are; what came back until the connection ended, or only the first of it. */
export function rawTcp(port: number, bytes: string, { firstOnly = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket
      .on('data', (text) => {
        said += text
        if (firstOnly) socket.destroy()
      })
      .on('error', reject)
      .on('close', () => resolve(said))
    socket.write(bytes)
  })
}

export const codeOf = ({ body }: WebAnswer) => (JSON.parse(body) as { code?: string }).code
