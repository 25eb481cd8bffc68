// Owns which lines of a file's diff are shown. Pure.

const HEAD = /^(diff --git|index |--- |\+\+\+ )/

/** Without git's head. Behind the first `@@`, a line that looks like one is of the file: `--- old`, where `-- old` was removed. */
export function diffLines(diff: string): string[] {
  const lines = diff.trimEnd().split('\n')
  const body = lines.findIndex((line) => line.startsWith('@@'))
  return lines.filter((line, at) => (body !== -1 && at >= body) || !HEAD.test(line))
}
