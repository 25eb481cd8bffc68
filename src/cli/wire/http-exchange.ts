// Owns answers that come bit by bit: only real HTTP can tell their end from a broken connection.
import { request } from 'node:http'
import { connect } from 'node:net'
import type { Exchange, ExchangeAnswer, ExchangeRequest } from './exchange.ts'

export function httpExchange(socketPath: string, { method, path, headers, body }: ExchangeRequest): Exchange {
  const asked = request({ createConnection: () => connect(socketPath), method, path, headers })
  const answer = new Promise<ExchangeAnswer>((resolve, reject) => {
    asked.on('error', reject).once('response', (response) => {
      const pairs = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
      resolve({ status: response.statusCode ?? 500, headers: new Map(pairs), body: response })
    })
  })
  asked.end(body)
  return { answer, destroy: (error) => void asked.destroy(error) }
}
