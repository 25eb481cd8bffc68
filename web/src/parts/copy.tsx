// Owns text to copy: a command, an id. Also over plain HTTP, where the browser offers no clipboard to pages.
import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'

const SHOWN_MS = 1600

export function Copy({ text, label }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    if (!(await intoClipboard(text))) return
    setDone(true)
    setTimeout(() => setDone(false), SHOWN_MS)
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`Copy ${label ?? text}`}
      className="inline-flex max-w-full items-center gap-2 rounded-md border border-line bg-code px-2.5 py-1 text-left text-ink hover:border-edge"
    >
      <code className="min-w-0 truncate max-md:wrap-anywhere max-md:whitespace-normal">{label ?? text}</code>
      {done ? (
        <Check size={14} className="shrink-0 text-green" />
      ) : (
        <CopyIcon size={14} className="shrink-0 text-mut" />
      )}
      <span aria-live="polite" className="sr-only">
        {done ? 'copied' : ''}
      </span>
    </button>
  )
}

async function intoClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return intoClipboardByHand(text)
  }
}

function intoClipboardByHand(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  return copied
}
