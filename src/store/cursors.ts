// Owns how far readers of the event sequence have come.
import type { Store } from '../ports/store.ts'
import { type Holding, read, write } from './holding.ts'

export const cursors = (holding: Holding): Pick<Store, 'cursor' | 'moveCursor'> => ({
  cursor: (name) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('cursors').select('seq').where('name', '=', name).executeTakeFirst()
      return row?.seq
    }),

  moveCursor: (name, seq, at) =>
    write(holding, async (tx) => {
      await tx
        .insertInto('cursors')
        .values({ name, seq, at })
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet({ seq, at }).where('cursors.seq', '<', seq),
        )
        .execute()
    }),
})
