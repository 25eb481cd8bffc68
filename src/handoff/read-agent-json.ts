import type { ResultFile } from '../ports/files/handoff.ts'
import { Refused, readRegular } from './read-regular.ts'

/** Reads JSON that an agent wrote, or says why not. */
export async function readAgentJson(path: string, mostBytes: number): Promise<ResultFile> {
  try {
    const bytes = await readRegular(path, { mostBytes, hardLinks: 'refused' })
    return bytes === undefined ? { kind: 'none' } : asJson(bytes)
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message }
    throw error
  }
}

function asJson(bytes: Buffer): ResultFile {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    return { kind: 'json', text }
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not valid JSON' : 'it is not UTF-8 text'
    return { kind: 'refused', why }
  }
}
