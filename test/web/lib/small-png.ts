// Makes a picture of a page small: a palette of its 256 most frequent colours instead of three bytes for each point.
import { deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_COLOURS = 256

/** Chromium's pictures are RGB or RGBA with eight bits each, not interlaced. */
export function smallPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = chunks.find(({ kind }) => kind === 'IHDR')!.data
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = header[9] === 6 ? 4 : 3
  const packed = Buffer.concat(chunks.filter(({ kind }) => kind === 'IDAT').map(({ data }) => data))
  const points = colours(inflateSync(packed), width, height, channels)
  const palette = mostFrequent(points)
  const near = nearestIn(palette)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = near(points[y * width + x]!)
  const indexed = Buffer.from(header)
  indexed[9] = 3
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', indexed),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunksOf(png: Buffer): { kind: string; data: Buffer }[] {
  const found: { kind: string; data: Buffer }[] = []
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    found.push({
      kind: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  return found
}

/** Every point as 0xRRGGBB. Each line was written as differences to its neighbours (PNG's filters). */
function colours(lines: Buffer, width: number, height: number, channels: number): Uint32Array {
  const stride = width * channels
  const points = new Uint32Array(width * height)
  let above = Buffer.alloc(stride)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)]!
    const line = Buffer.from(lines.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : line[i - channels]!
      const corner = i < channels ? 0 : above[i - channels]!
      line[i] = line[i]! + predicted(filter, left, above[i]!, corner)
    }
    for (let x = 0; x < width; x++) {
      const i = x * channels
      points[y * width + x] = (line[i]! << 16) | (line[i + 1]! << 8) | line[i + 2]!
    }
    above = line
  }
  return points
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

function mostFrequent(points: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of points) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const ranked = [...counts].sort(([, a], [, b]) => b - a)
  return ranked.slice(0, MOST_COLOURS).map(([colour]) => colour)
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, place) => [colour, place]))
  const apart = (a: number, b: number) =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  return (colour) => {
    const found = known.get(colour)
    if (found !== undefined) return found
    const nearest = palette.reduce(
      (best, one, place) => (apart(one, colour) < apart(palette[best]!, colour) ? place : best),
      0,
    )
    known.set(colour, nearest)
    return nearest
  }
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(checksum(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

/** CRC-32, as PNG wants it. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
