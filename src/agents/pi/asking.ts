// Owns the questions of Pi in `--mode rpc`. Pi itself asks nothing: these are dialogs of the user's extensions.
import type { AgentSays, Answer } from '../../ports/run/agent-driver.ts'
import { type Fields, isText, MOST_DETAIL, MOST_NAME, short } from '../shared/json-line.ts'

type Asked = { readonly ref: string; readonly options: readonly string[] }

const YES_OR_NO = ['Yes', 'No']
const NOTHING_ASKED = ['setStatus', 'setWidget', 'setTitle', 'set_editor_text']

export function readRequest(request: Fields): AgentSays[] | undefined {
  const { method, message } = request
  if (NOTHING_ASKED.some((one) => one === method)) return []
  if (method === 'notify')
    return isText(message) ? [{ kind: 'note', text: short(message, MOST_DETAIL) }] : undefined
  const options = optionsOf(request)
  return options && readDialog(request, options)
}

function optionsOf({ method, options }: Fields): string[] | undefined {
  if (method === 'confirm') return YES_OR_NO
  if (method === 'input' || method === 'editor') return []
  return method === 'select' && Array.isArray(options) && options.every(isText) ? options : undefined
}

function readDialog(request: Fields, options: readonly string[]): AgentSays[] | undefined {
  const { id, method, title, message, placeholder, prefill } = request
  if (!isText(id) || id.length > MOST_NAME || !isText(title)) return undefined
  const more = [message, placeholder, prefill].filter((text) => isText(text) && text !== '')
  const question = short([title, ...more].join('\n'), MOST_DETAIL)
  return [
    {
      kind: 'asked',
      question,
      options: options.map((one) => short(one, MOST_DETAIL)),
      ref: `${method}:${id}`,
    },
  ]
}

/** The method decides in which field the answer goes. Only an option that was offered can be chosen. */
export function responseTo({ ref, options }: Asked, { option, text }: Answer): object | null {
  const [, method, id] = /^(select|confirm|input|editor):(.+)$/s.exec(ref) ?? []
  const value = options.length === 0 ? text : options[option ?? -1]
  if (id === undefined || value === undefined) return null
  const answer = method === 'confirm' ? { confirmed: option === 0 } : { value }
  return { type: 'extension_ui_response', id, ...answer }
}
