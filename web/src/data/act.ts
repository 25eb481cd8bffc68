// Owns one act of a person: it is under way, was refused, or is done.
import { useState } from 'react'
import { Refused } from './call.ts'

export type Act<Given extends unknown[]> = {
  readonly busy: boolean
  /** Why the last try was refused; gone with the next one. */
  readonly refused: Refused | undefined
  /** True when it was done. A second call while one is under way does nothing. */
  readonly run: (...given: Given) => Promise<boolean>
  readonly forget: () => void
}

export function useAct<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>): Act<Given> {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const run = async (...given: Given) => {
    if (busy) return false
    setBusy(true)
    setRefused(undefined)
    try {
      await act(...given)
      return true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setRefused(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, run, forget: () => setRefused(undefined) }
}
