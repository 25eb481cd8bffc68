/** What a service answered. Undefined when it is no JSON: a proxy before it may answer with a page. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
