/** A count, and whether it can be more: what was not loaded is not counted. */
export const counted = (count: number, whole: boolean): string =>
  `${count.toLocaleString('en-US')}${whole ? '' : ' or more'}`
