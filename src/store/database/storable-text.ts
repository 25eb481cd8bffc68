// Owns what text may be stored: PostgreSQL refuses NUL characters and SQLite would cut the text there.
import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely'

class StorableText extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storable(node.value) }
  }
  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(storable) }
  }
}

export const storable = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
const transformer = new StorableText()

export const storableText: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
  transformResult: async ({ result }) => result,
}
