// Owns refusing YAML that is nested too deeply, without recursion. The YAML library reads recursively: a text that an agent
// wrote could overflow the stack and end the whole process.
import { type CST, Parser } from 'yaml'

/** More than anybody writes by hand. */
const DEEPEST_YAML = 200

/** Throws when the text is nested more deeply than DEEPEST_YAML. */
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
