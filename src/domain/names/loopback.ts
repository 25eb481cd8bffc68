/** Whether only programs of this machine reach the address. A name counts only when it is `localhost`. */
export const isLoopback = (host: string) => /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/i.test(host)

/** An address as it stands in a URL. */
export const hostInUrl = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
