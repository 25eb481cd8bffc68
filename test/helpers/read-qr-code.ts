// Reads a QR code from the half blocks that a terminal shows, by the standard (ISO/IEC 18004). Nothing is corrected: every
// module must be as it should.

/** In a dark terminal the blocks are the light modules. */
const HALVES: Readonly<Record<string, readonly [boolean, boolean]>> = {
  '█': [false, false],
  '▀': [false, true],
  '▄': [true, false],
  ' ': [true, true],
}
/** Versions with one block of data at the lowest level of correction, and how many bytes it has. */
const DATA_BYTES: Readonly<Record<number, number>> = { 1: 19, 2: 34, 3: 55, 4: 80, 5: 108 }
const FORMAT_MASK = 0b101_0100_0001_0010
const LOWEST_LEVEL = 0b01
const BYTES = 0b0100

/** The dark modules of each row, without the light border. */
export function modulesOf(lines: readonly string[]): boolean[][] {
  const rows = lines.flatMap((line) => {
    const halves = [...line].map((letter) => HALVES[letter] ?? bad(`'${letter}' is no half block`))
    return [halves.map(([top]) => top), halves.map(([, bottom]) => bottom)]
  })
  const isLight = (row: boolean[]) => row.every((isDark) => !isDark)
  const border = rows.findIndex((row) => !isLight(row))
  const size = rows[0]!.length - 2 * border
  return rows.slice(border, border + size).map((row) => row.slice(border, border + size))
}

export function readQrCode(modules: readonly (readonly boolean[])[]): string {
  const size = modules.length
  const version = (size - 17) / 4
  const length = DATA_BYTES[version] ?? bad(`version ${version} is not read here`)
  const { level, mask } = formatOf(modules)
  if (level !== LOWEST_LEVEL) bad(`level ${level} is not read here`)
  const bits = dataBits(modules, version, mask)
  const number = (from: number, count: number) => Number.parseInt(bits.slice(from, from + count).join(''), 2)
  if (number(0, 4) !== BYTES) bad(`mode ${number(0, 4)} is not read here`)
  const count = number(4, 8)
  if (count > length - 2) bad(`${count} bytes do not fit`)
  return Buffer.from(Array.from({ length: count }, (_, at) => number(12 + 8 * at, 8))).toString()
}

/** Beside the upper left finder: down the eighth column, then along the eighth row. */
function formatOf(modules: readonly (readonly boolean[])[]): { level: number; mask: number } {
  const rows = [0, 1, 2, 3, 4, 5, 7, 8].map((y) => modules[y]![8])
  const columns = [7, 5, 4, 3, 2, 1, 0].map((x) => modules[8]![x])
  const read = [...rows, ...columns].reduceRight((sum, isDark) => sum * 2 + Number(isDark), 0)
  const format = read ^ FORMAT_MASK
  return { level: format >> 13, mask: (format >> 10) & 0b111 }
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** In pairs of columns from the right, up and down by turns, without the column of the timing. */
function dataBits(modules: readonly (readonly boolean[])[], version: number, mask: number): number[] {
  const size = modules.length
  const bits: number[] = []
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = isUp ? size - 1 - step : step
        if (!isFixed(x, y, size, version)) bits.push(Number(modules[y]![x] !== MASKS[mask]!(x, y)))
      }
    isUp = !isUp
  }
  return bits
}

/** Finders with the format beside them, the timing, and from version 2 on one alignment pattern. */
function isFixed(x: number, y: number, size: number, version: number): boolean {
  const isFinder = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)
  const centre = size - 7
  const isAlignment = version > 1 && Math.abs(x - centre) <= 2 && Math.abs(y - centre) <= 2
  return isFinder || isAlignment || x === 6 || y === 6
}

function bad(why: string): never {
  throw new Error(`not a QR code as expected: ${why}`)
}
