import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkText } from '../../../src/domain/verify/contract.ts'
import { fileTrust } from '../../../src/system/settings/file-trust.ts'
import { stepContract, stepsToApprove } from '../../../src/system/verify/step-contracts.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

function stepWorld() {
  const root = tempDir()
  const [project, userDir, stateFile] = [join(root, 'project'), join(root, 'user'), join(root, 'state.yaml')]
  mkdirSync(project)
  return {
    project,
    userDir,
    stateFile,
    write(path: string, text: string) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    },
    find: (story = '5.3', given: string | undefined = undefined) =>
      stepContract({ step: 'create', story, project, stateFile: given }, userDir),
  }
}

const inState = 'workflow: {steps: {create: {verify: [{file: "stories/{story}.md"}]}}}'

test('a step’s contract is looked for in the state file, then in the project, then with the user', async () => {
  const { write, find, project, userDir, stateFile } = stepWorld()
  const own = join(userDir, 'steps/create.yaml')
  write(own, '- command: npm test')
  expect(await find()).toMatchObject({ source: own })
  const projects = join(project, '.holdfast/steps/create.yaml')
  write(projects, 'checks:\n  - file: a')
  expect(await find()).toMatchObject({ source: projects })
  write(stateFile, inState)
  expect(await find('5.3', stateFile)).toMatchObject({ source: stateFile })
  write(stateFile, 'workflow: {steps: {other: {verify: [{file: a}]}}}')
  expect(await find('5.3', stateFile)).toMatchObject({ source: projects })
})

test('{story} and {step} are filled in, and cannot lead out', async () => {
  const { write, find, stateFile } = stepWorld()
  write(stateFile, inState)
  expect((await find('5.3', stateFile)).contract.checks.map(checkText)).toEqual(['file stories/5.3.md'])
  await expect(find('../../etc/passwd', stateFile)).rejects.toMatchObject({ code: 'INVALID_NAME' })
  await expect(find('--help', stateFile)).rejects.toMatchObject({ code: 'INVALID_NAME' })
})

test('a Markdown state file has it in its front matter', async () => {
  const { write, find, project } = stepWorld()
  const file = join(project, 'state.md')
  write(file, `---\n${inState}\n---\n# State\n`)
  expect(await find('5.3', file)).toMatchObject({ source: file })
})

test('a project’s step runs commands only once a person approved it; a state file never does', async () => {
  const { write, find, project, userDir, stateFile } = stepWorld()
  const file = join(project, '.holdfast/steps/create.yaml')
  write(file, '- command: [npm, test, "{story}"]')
  await expect(find()).rejects.toMatchObject({ code: 'NOT_TRUSTED' })
  const [claim] = await stepsToApprove(userDir, project)
  expect(claim).toMatchObject({ file, approval: 'new', allows: ['verify runs ["npm","test","{story}"]'] })
  await fileTrust(userDir).approve(file, claim!.sha256, 'me')
  expect((await find()).contract.checks).toMatchObject([{ argv: ['npm', 'test', '5.3'] }])
  write(file, '- command: [rm, -rf, x]')
  await expect(find()).rejects.toThrow('changed since it was approved')
  write(stateFile, 'workflow: {steps: {create: {verify: [{command: "true"}]}}}')
  await expect(find('5.3', stateFile)).rejects.toMatchObject({ code: 'NOT_TRUSTED' })
})

test('steps that only look, or cannot be read, ask for no approval', async () => {
  const { write, project, userDir } = stepWorld()
  write(join(project, '.holdfast/steps/look.yaml'), '- file: a')
  write(join(project, '.holdfast/steps/broken.yaml'), '- [')
  write(join(project, 'elsewhere.yaml'), '- command: true')
  symlinkSync(join(project, 'elsewhere.yaml'), join(project, '.holdfast/steps/link.yaml'))
  expect(await stepsToApprove(userDir, project)).toEqual([])
})

test('without a contract, with a broken file or a link, it says where and why', async () => {
  const { write, find, project, stateFile } = stepWorld()
  await expect(find()).rejects.toThrow(
    /Step 'create' has no contract: looked for .*\.holdfast\/steps\/create\.yaml/,
  )
  await expect(find('5.3', stateFile)).rejects.toThrow('state.yaml does not exist')
  write(stateFile, 'a: [')
  await expect(find('5.3', stateFile)).rejects.toMatchObject({ code: 'VERIFY_INVALID' })
  mkdirSync(join(project, '.holdfast/steps'), { recursive: true })
  symlinkSync('/etc/hostname', join(project, '.holdfast/steps/create.yaml'))
  await expect(find()).rejects.toThrow('is a symbolic link')
})
