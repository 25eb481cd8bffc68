import type { Watch } from '../../src/supervisor/task/core.ts'
import { aRun } from './run.ts'
import { aTask } from './task.ts'

/** A task at work that was not looked at yet, with what the test cares about changed. */
export const aWatch = (changes: Partial<Watch> = {}): Watch => ({
  task: aTask(),
  run: aRun(),
  sinceMono: 0,
  missingSinceMono: null,
  eventsHeld: false,
  ending: false,
  inputWritten: false,
  noTerminalSinceMono: null,
  screen: null,
  copied: null,
  words: null,
  box: null,
  kept: null,
  openWork: null,
  life: null,
  tokenExpires: null,
  restingLook: null,
  beats: 0,
  bridge: null,
  stopWatching: () => {},
  ...changes,
})
