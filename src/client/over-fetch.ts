import type { ClientOptions } from './client.ts'

export type ConnectOptions = Pick<ClientOptions, 'onOtherVersion'> & {
  /** `http://127.0.0.1:4949`, as `holdfast web` prints it. */
  readonly url?: string
  /** From `holdfast web token <name>`. */
  readonly token?: string
}

/** A token goes into a header, never into the address: addresses are written to logs and histories. */
export function overFetch({
  url = '',
  token,
  onOtherVersion,
}: ConnectOptions): Pick<ClientOptions, 'send' | 'headers' | 'onOtherVersion'> {
  return {
    send: (path, init) => fetch(`${url.replace(/\/$/, '')}${path}`, init),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    onOtherVersion,
  }
}
