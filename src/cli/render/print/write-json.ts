// Owns printing a JSON answer that does not fit into memory: item by item, no faster than the reader takes it.
import { once } from 'node:events'

type Field = readonly [name: string, value: unknown]

/**
 * Writes `{ "name": [ … ], …rest }` in the layout of JSON.stringify. Nothing is written before the first items are there;
 * `rest` is called after the last ones.
 */
export async function writeJsonList(
  name: string,
  batches: AsyncIterable<readonly unknown[]>,
  rest: () => readonly Field[],
): Promise<void> {
  const head = `{\n  ${JSON.stringify(name)}: [`
  let isEmpty = true
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const items = batch.map((item) => `\n${indented(item, 4)}`)
    await write((isEmpty ? head : ',') + items.join(','))
    isEmpty = false
  }
  const fields = rest().map(
    ([field, value]) => `,\n  ${JSON.stringify(field)}: ${indented(value, 2).trimStart()}`,
  )
  await write(`${isEmpty ? `${head}]` : '\n  ]'}${fields.join('')}\n}\n`)
}

/** JSON escapes line breaks inside texts, so every line break here is layout. */
const indented = (value: unknown, by: number) =>
  `${' '.repeat(by)}${JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)}`

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
