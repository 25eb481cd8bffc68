// What every Store keeps, on every backend.
import { describe } from 'vitest'
import type { Store } from '../../src/ports/store/store.ts'
import { audits } from '../store/contract/audits.ts'
import { creating } from '../store/contract/creating.ts'
import { holders } from '../store/contract/holders.ts'
import { inputs } from '../store/contract/inputs.ts'
import { journal } from '../store/contract/journal.ts'
import { lists } from '../store/contract/lists.ts'
import { notices } from '../store/contract/notices.ts'
import { orders } from '../store/contract/orders.ts'
import { properties } from '../store/contract/properties.ts'
import { questions } from '../store/contract/questions.ts'
import { readingTasks } from '../store/contract/reading-tasks.ts'
import { readings } from '../store/contract/readings.ts'
import { recording } from '../store/contract/recording.ts'
import { recovery } from '../store/contract/recovery.ts'
import { retention } from '../store/contract/retention.ts'
import { runs } from '../store/contract/runs.ts'
import { runtimes } from '../store/contract/runtimes.ts'
import { taskEnds } from '../store/contract/task-ends.ts'
import { taskPages } from '../store/contract/task-pages.ts'
import { threads } from '../store/contract/threads.ts'
import { triggers } from '../store/contract/triggers.ts'
import { wakes } from '../store/contract/wakes.ts'

/** One empty database; every `open` of it is closed when the test ends. */
export type StorePlace = { open(node?: string): Promise<Store> }
export type NewPlace = () => Promise<StorePlace>
/** A store on a database of its own. */
export type Open = () => Promise<Store>

export function storeContract(name: string, newPlace: NewPlace) {
  const open: Open = async () => (await newPlace()).open()

  describe(`${name} store`, () => {
    describe('creating', () => creating(open))
    describe('reading tasks', () => readingTasks(open))
    describe('the list in pages', () => taskPages(open))
    describe('the list by ends', () => taskEnds(open))
    describe('recording', () => recording(open))
    describe('runs', () => runs(open))
    describe('runtimes', () => runtimes(newPlace))
    describe('reading events of agents', () => readings(open))
    describe('inputs', () => inputs(open))
    describe('triggers', () => triggers(newPlace))
    describe('questions', () => questions(newPlace))
    describe('recovery', () => recovery(newPlace))
    describe('events, audit and workspaces', () => lists(open))
    describe('the journal', () => journal(newPlace))
    describe('orders', () => orders(newPlace))
    describe('threads', () => threads(open))
    describe('wakes', () => wakes(open))
    describe('notices', () => notices(newPlace))
    describe('archive and retention', () => retention(newPlace))
    describe('the record', () => audits(open))
    describe('several holders', () => holders(newPlace))
    describe('always', () => properties(open))
  })
}
