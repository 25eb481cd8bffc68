import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { storeContract } from '../contract/store-contract.ts'
import { putMigratedDatabase } from '../helpers/migrated-database.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { clock, nodeFacts } from './samples.ts'

storeContract('SQLite', async () => {
  const path = join(tempDir(), 'holdfast.db')
  await putMigratedDatabase(path)
  return {
    open: async (node) => {
      const store = await openStore({ path, node: nodeFacts(node), clock })
      onTestFinished(() => store.close())
      return store
    },
  }
})
