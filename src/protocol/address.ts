// Owns how a route becomes an address: its id and its query filled in.
import { HoldfastError } from '../domain/errors.ts'

type Filled = {
  readonly id?: string
  readonly query?: Readonly<Record<string, string | undefined>>
}

export function addressOf(route: string, { id, query }: Filled): { method: string; path: string } {
  // A URL parser takes `.` and `..` for steps of the path, even when they are escaped.
  if (id !== undefined && /^\.{0,2}$/.test(id))
    throw new HoldfastError('INVALID_ID', `'${id}' is not a session id.`)
  const [method = '', path = ''] = route.split(' ')
  const given = Object.entries(query ?? {}).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const search = new URLSearchParams(given).toString()
  const filled = path.replace(':id', () => encodeURIComponent(id ?? ''))
  return { method, path: filled + (search === '' ? '' : `?${search}`) }
}
