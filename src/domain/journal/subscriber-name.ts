// Owns the names of subscribers of which each node has one for itself, about its own events. Pure.
import { asNodeId, type NodeId } from '../names/ids.ts'

export const nameAtNode = (name: string, node: NodeId) => `${name}@${node}`

/** `node`: the only one whose events it is told of; null: all. */
export function readSubscriberName(text: string): { readonly name: string; readonly node: NodeId | null } {
  const [name = '', node] = text.split('@')
  return { name, node: node === undefined ? null : asNodeId(node) }
}

/** As people at this node know it: without its node, unless it is another one's. */
export function nameSeenAt(here: NodeId, text: string): string {
  const { name, node } = readSubscriberName(text)
  return node === here ? name : text
}
