import { hostname, networkInterfaces } from 'node:os'
import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import type { WebJson } from '../../../protocol/json/web-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { openInBrowser } from '../../starting/open-in-browser.ts'
import { isPerson, userName } from '../../wire/caller.ts'
import { farAddresses, onPhone } from './web-from-afar.ts'

export async function web({ options }: InputOf<'web'>, context: Context): Promise<number> {
  if (options.stop) return await stop(context)
  const daemon = context.daemon()
  const body = {
    port: options.port === undefined ? undefined : portOf(options.port),
    host: options.host,
    allow_remote: options['allow-remote'],
  }
  const opened = await daemon.call('POST /api/web', { body })
  if (opened.remote) context.say(remoteWarning(opened, context))
  const addresses = farAddresses(opened, networkInterfaces())
  const { path, expires_at } = await daemon.call('POST /api/web/links')
  const link = `${opened.address}${path}`
  // Each with a code of its own: a code works once, and this machine's browser must not use up the phone's.
  const far: string[] = []
  for (const address of addresses) far.push(`${address}${(await daemon.call('POST /api/web/links')).path}`)
  const isOpened = !options['no-open'] && !context.json && (await openInBrowser(link, context.env))
  context.show({ ...opened, link, remote_links: far, expires_at, browser_opened: isOpened }, () => [
    isOpened
      ? 'The page is opening in your browser. If not, open this link:'
      : 'Open this link in a browser:',
    `  ${link}`,
    'It works once, within two minutes. `holdfast web` makes another one.',
    '',
    ...(far.length > 0 ? onPhone(far) : fromElsewhere(opened, context)),
  ])
  return 0
}

async function stop(context: Context): Promise<number> {
  const answer = await context.daemon().call('DELETE /api/web')
  context.show(answer, () => [answer.closed ? 'The port is closed.' : 'No port was open.'])
  return 0
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new HoldfastError('USAGE', `'--port' must be a number from 1 to 65535, not '${printable(text)}'.`)
}

const tunnel = ({ port }: WebJson, { env }: Context) =>
  `ssh -L ${port}:127.0.0.1:${port} ${userName(env)}@${hostname()}`

const remoteWarning = (opened: WebJson, context: Context) =>
  `Warning: other machines can reach ${opened.host}:${opened.port}, and nothing that is sent there is encrypted. ` +
  `Safer, from the other machine: ${tunnel(opened, context)}`

const fromElsewhere = (opened: WebJson, context: Context) =>
  isPerson(context.env)
    ? [
        'From another machine or a phone: only this machine reaches the address. Make a tunnel there, then open the link:',
        `  ${tunnel(opened, context)}`,
        'Or use a VPN of yours: `holdfast help web` shows --host and --allow-remote.',
      ]
    : []
