/** Milliseconds of a clock that nobody sets. The global `performance` does the same, and takes milliseconds to load. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6
