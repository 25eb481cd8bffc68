// Owns the notices of the packages that are bundled: their licences ask for the text wherever a copy goes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that ask for no text; packages under them often bring none. */
const PUBLIC_DOMAIN = { Unlicense: 'Released into the public domain: https://unlicense.org' }

const RULE = '-'.repeat(80)

/** All packages in bundles, each once, with its licence in full. `inputs`: the source paths named in esbuild's metafiles. */
export function thirdPartyText(root, inputs) {
  // The same version may be there twice, in different places.
  const found = new Map(
    packageDirs(inputs)
      .map((dir) => describe(join(root, dir)))
      .map((one) => [one.title, one]),
  )
  const packages = [...found.values()]
  const list = packages.map(({ title }) => `  ${title}`).join('\n')
  const head = `The files of this directory contain code of these packages:\n\n${list}\n`
  return [head, ...packages.map(({ title, text }) => `${title}\n\n${text}\n`)].join(`\n${RULE}\n`)
}

const packageDirs = (inputs) =>
  [...new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort()

function describe(dir) {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  const text = licenceText(dir) || (PUBLIC_DOMAIN[license] ?? '')
  if (text === '') throw new Error(`${name} is bundled, and nothing in ${dir} tells its licence`)
  return { title: `${name} ${version} (${license})`, text }
}

/** Some packages have it in their README only. */
function licenceText(dir) {
  const names = readdirSync(dir).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  const texts = names.sort().map((name) => readFileSync(join(dir, name), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : sectionOfReadme(dir)
}

function sectionOfReadme(dir) {
  const name = readdirSync(dir).find((name) => /^readme/i.test(name))
  const [, section = ''] = (name ? readFileSync(join(dir, name), 'utf8') : '').split(/^#+ *licen[cs]e *$/im)
  return /copyright/i.test(section) ? section.split(/^#/m)[0].trim() : ''
}
