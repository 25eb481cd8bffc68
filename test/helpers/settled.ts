/** So often in a row nothing may be under way: what ends may begin something else. */
const QUIET_ROUNDS = 4
/** As Node names them: FSReqPromise, CloseReq, … */
const UNDER_WAY = /Req|ZLIB|WriteWrap|Immediate/

/** Waits until all that was begun and needs no clock is done: promises, files that are read or written. */
export async function settled(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet++) {
    await new Promise((resume) => setImmediate(resume))
    if (process.getActiveResourcesInfo().some((kind) => UNDER_WAY.test(kind))) quiet = -1
  }
}
