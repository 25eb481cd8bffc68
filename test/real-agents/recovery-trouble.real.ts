// Each real agent whose model refuses it: what a person must mend is asked, what passes is waited for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ParksJson } from '../../src/protocol/recovery-json.ts'
import { kindsThat } from './daemon-world.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS, recoveringWith, saidTo, until, untilPhase } from './recovery-world.ts'

const lab = useLab()
const kinds = kindsThat(() => true)

test.each(kinds)(
  '%s meets a wrong key, a used-up limit and a dead network, and completes its work all the same',
  async (kind) => {
    const { world, run } = await recoveringWith(kind, lab)
    lab.answer({ verb: 'badkey', argument: '' })
    const id = await run('DO:write{made.txt} in spite of all', 'full')

    const asking = await untilPhase(world, id, 'asking')
    expect(asking.reason).toMatch(/key|auth|401|credential/i)
    expect(asking).toMatchObject({ retries: 0, questions: [{ options: ['resume', 'close'] }] })

    lab.answer({ verb: 'usage', argument: '3600' })
    await world.ok(['answer', id, 'resume'])
    const parked = await untilPhase(world, id, 'parked')
    expect(parked.reason).toMatch(/limit|429/i)
    const { gates } = await world.json<ParksJson>(['parks'])
    expect(gates).toMatchObject([{ kind: 'limit' }])

    await lab.hangUp()
    lab.answer(null)
    await world.ok(['unpark', id])
    const offline = await until(world, id, 'the network is missed', ({ phase, run_id }) => phase === 'parked' && run_id !== parked.run_id)
    console.log(await world.ok(['why', id]))
    expect((await world.json<ParksJson>(['parks'])).gates.map(({ kind }) => kind)).toContain('environment')

    await lab.pickUp()
    await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
    expect(existsSync(join(lab.project, 'made.txt'))).toBe(true)
    expect(saidTo(lab, 'in spite of all')).toBe(1)
  },
)
