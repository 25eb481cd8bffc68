// Reads which metrics, and which labels of them, an expression of PromQL names.

export type Used = { readonly metric: string; readonly labels: readonly string[] }

const WORD = /[a-zA-Z_:][\w:]*/
const SELECTOR = new RegExp(`(${WORD.source})\\s*(\\{[^}]*\\})?`, 'g')
const KEYWORDS = new Set([
  'by',
  'without',
  'or',
  'and',
  'unless',
  'on',
  'ignoring',
  'group_left',
  'bool',
  'inf',
])
const GROUPING = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g

/** Every metric with the labels it is selected by. A word before `(` is a function. */
export function metricsIn(expression: string): Used[] {
  const plain = expression.replace(GROUPING, ' ').replace(/\[[^\]]*\]/g, ' ')
  return [...plain.matchAll(SELECTOR)].flatMap((match) => {
    const [whole, metric = '', selector = ''] = match
    const isCall = /^\s*\(/.test(plain.slice(match.index + whole.length))
    const isInsideText = /"[^"]*$/.test(plain.slice(0, match.index).replace(/"[^"]*"/g, ''))
    if (isCall || isInsideText || KEYWORDS.has(metric) || /^\d/.test(plain[match.index - 1] ?? '')) return []
    return [{ metric, labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!) }]
  })
}

/** The labels by which an expression groups. */
export const groupedBy = (expression: string): string[] =>
  [...expression.matchAll(GROUPING)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
