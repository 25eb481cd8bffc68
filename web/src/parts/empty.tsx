import type { ReactNode } from 'react'
import { Copy } from './copy.tsx'

/** Nothing is here. Says so, and teaches the one command that changes it. */
export const Empty = ({ children, command }: { readonly children: ReactNode; readonly command?: string }) => (
  <div className="rounded-lg border border-edge border-dashed px-4 py-5 text-mut">
    <p>{children}</p>
    {command !== undefined && (
      <p className="mt-2">
        <Copy text={command} />
      </p>
    )}
  </div>
)
