// How much of an element's content lies outside of what is seen of it, in points.
import type { Locator } from 'playwright-core'

type Box = {
  scrollWidth: number
  clientWidth: number
  scrollHeight: number
  clientHeight: number
  scrollTop: number
}

/** `wide`, `high`: all of it. `below`: after what is in view now. */
export const hiddenPartOf = (one: Locator) =>
  one.evaluate((element) => {
    const box = element as unknown as Box
    const high = box.scrollHeight - box.clientHeight
    return { wide: box.scrollWidth - box.clientWidth, high, below: Math.round(high - box.scrollTop) }
  })
