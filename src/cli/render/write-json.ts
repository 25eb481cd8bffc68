// Owns an answer too long to be held: written as it comes, no faster than the reader takes it, and one JSON document in the end.
import { once } from 'node:events'

type Field = readonly [name: string, value: unknown]

/** `{ "name": [ … ], …rest }`, laid out as JSON.stringify would. Nothing is written before the first items are there;
 * `rest` is asked for when all are. */
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

/** Line breaks inside of texts are escaped, so every one of these is layout. */
const indented = (value: unknown, by: number) =>
  `${' '.repeat(by)}${JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)}`

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
