// Owns how deep a YAML text is nested, found without recursion. The library's own reading is recursive: at the end of the
// stack it can take the whole process along, and what is read here was written by an agent.
import { type CST, Parser } from 'yaml'

/** More than anybody writes by hand. */
const DEEPEST_YAML = 200

/** Throws where it is deeper. */
export function checkYamlDepth(text: string): void {
  for (const token of new Parser().parse(text)) if (isDeeper(token)) throw new Error('is nested too deeply')
}

function isDeeper(root: CST.Token): boolean {
  const open: [CST.Token, number][] = [[root, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next
    if (depth > DEEPEST_YAML) return true
    for (const below of partsOf(token)) open.push([below, depth + 1])
  }
  return false
}

function partsOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }: { key?: CST.Token | null; value?: CST.Token }) =>
    [key, value].filter((part): part is CST.Token => part !== undefined && part !== null),
  )
}
