// A process of its own that creates tasks and says so: `writer.ts <database> <node> <how many>`.
import { writeSync } from 'node:fs'
import { openStore } from '../../src/store/open-store.ts'
import { create, nodeFacts } from './samples.ts'

const [path = '', node = '', most = ''] = process.argv.slice(2)
const store = await openStore({ path, node: nodeFacts(node), clock: { now: () => Date.now() } })
for (let index = 0; index < Number(most); index++) {
  const { id } = await create(store, `${node}-${index}`)
  writeSync(1, `${id}\n`)
}
await store.close()
