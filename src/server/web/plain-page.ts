// Owns pages without any script, for when the real one cannot be shown.

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}code{font-size:.95em}'

/** `again`: looks for the page once more, at once. */
export function plainPage(
  title: string,
  lines: readonly string[],
  { again }: { readonly again?: string } = {},
): string {
  const refresh = again === undefined ? '' : `<meta http-equiv="refresh" content="0; url=${escaped(again)}">`
  const body = lines.map((line) => `<p>${withCode(escaped(line))}</p>`).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
${body}
</body></html>
`
}

const withCode = (text: string) => text.replace(/`([^`]+)`/g, '<code>$1</code>')

const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&${NAMES[char]};`)
