// Owns runs/<run>/: files about each run that outlive daemon and tmux.
// Nothing here is synced to disk: after a power cut no process of that boot is left to be found again.
import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { HoldfastError } from '../../domain/errors.ts'
import type { HomePaths } from '../../domain/names/home.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { printable } from '../../domain/names/names.ts'
import { asBridgeNote, type BridgeNote } from '../../domain/run/bridge-note.ts'
import { unless } from '../../domain/system-error.ts'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import type { Chunk, ExitRecord, LaunchFiles, RunFiles, StartRecord } from '../../ports/run/run-files.ts'
import { readOpenFile, readPart } from '../disk/read-part.ts'
import { replaceExisting } from '../disk/replace-existing.ts'
import { withDiskErrors } from '../disk/with-disk-errors.ts'
import { checkHome } from '../home/safe-home.ts'
import { gzipPacking } from '../logs/packing.ts'
import { ExitRecords } from './exit-records.ts'
import { HeldEvents } from './held-events.ts'
import { appendAll, appendMissing } from './input-file.ts'
import { BRIDGE_FILE, FILES_DIR, launchTexts, TOKEN_FILE } from './launch-texts.ts'
import { type OwnCommand, placeOwnCommand } from './own-command.ts'
import { parseStart, readRecord, VOID } from './run-records.ts'
import { shrinkRun } from './shrink-run.ts'
import { watchDirectory } from './watch-directory.ts'
import { writeRunDirectory } from './write-run-directory.ts'

const NEWLINE = 0x0a
const CHUNK_BYTES = 256 * 1024
const RUN_ID = /^[a-z0-9-]+$/
const OURS_ONLY = { recursive: true, mode: 0o700 } as const

export class FileRunFiles implements RunFiles {
  readonly #home: HomePaths
  readonly #shimSource: string
  readonly #ownCommand: OwnCommand
  readonly #exits: ExitRecords
  readonly #held = new HeldEvents()

  constructor(options: {
    readonly home: HomePaths
    readonly shimSource: string
    readonly ownCommand: OwnCommand
  }) {
    this.#home = options.home
    this.#exits = new ExitRecords(options.home.exits)
    this.#shimSource = options.shimSource
    this.#ownCommand = options.ownCommand
  }

  /** Checked at every launch: the home may have been opened to others since the daemon started. */
  checkPlace(): void {
    checkHome(this.#home.home)
  }

  /** Synchronous, as the files are few and small: the thread pool would take several times as long as the disk. */
  async prepare(files: LaunchFiles): Promise<readonly string[]> {
    const directory = this.#run(files.runId)
    const texts = launchTexts(files, this.#home)
    this.checkPlace()
    await withDiskErrors(directory, async () => {
      mkdirSync(this.#home.runs, OURS_ONLY)
      mkdirSync(this.#home.exits, OURS_ONLY)
      placeOwnCommand(this.#home.bin, this.#ownCommand)
      writeRunDirectory(files, texts, {
        directory,
        unfinished: this.#unfinished(files.runId),
        shimSource: this.#shimSource,
      })
    })
    const stage = files.hearing === 'terminal' ? ['tty', directory] : ['pane', directory, files.outputLog]
    return ['sh', `${directory}/shim`, ...stage, '--', ...files.argv]
  }

  directory(runId: RunId): string {
    return this.#run(runId)
  }

  filesDir(runId: RunId): string {
    return `${this.#run(runId)}/${FILES_DIR}`
  }

  inputFile(runId: RunId): string {
    return `${this.#run(runId)}/in.jsonl`
  }

  eventsFile(runId: RunId): string {
    return `${this.#run(runId)}/events.jsonl`
  }

  async writeInput(runId: RunId, offset: number, line: string): Promise<void> {
    const path = this.inputFile(runId)
    await withDiskErrors(path, async () => appendMissing(path, offset, Buffer.from(line)))
  }

  async feeder(runId: RunId): Promise<StartRecord | undefined> {
    return parseStart(await readRecord(`${this.#run(runId)}/feeder`))
  }

  apartArgv(runId: RunId, argv: readonly string[]): readonly string[] {
    const directory = this.#run(runId)
    return ['sh', `${directory}/shim`, 'apart', directory, ...argv]
  }

  windowArgv(runId: RunId): readonly string[] {
    const directory = this.#run(runId)
    return ['sh', `${directory}/shim`, 'window', directory, readlinkSync(`${directory}/output.log`)]
  }

  /**
   * The same mkdir by which the shim claims its run: one of the two wins.
   * Works for a run that was never prepared: a later `prepare` leaves the claimed directory alone.
   */
  async claim(runId: RunId): Promise<boolean> {
    const directory = this.#run(runId)
    return withDiskErrors(directory, async () => {
      await mkdir(directory, OURS_ONLY)
      return mkdir(`${directory}/claim`, { mode: 0o700 }).then(() => true, unless(false, 'EEXIST'))
    })
  }

  /** The same link(2) by which the shim publishes its pid: one of the two wins. */
  async voidStart(runId: RunId): Promise<boolean> {
    const directory = this.#run(runId)
    return withDiskErrors(directory, async () => {
      await mkdir(directory, OURS_ONLY)
      const record = `${directory}/void-${randomUUID()}`
      await writeFile(record, VOID, { mode: 0o600 })
      await link(record, `${directory}/pid`).catch(unless(undefined, 'EEXIST'))
      await rm(record)
      return (await readRecord(`${directory}/pid`)) === VOID
    })
  }

  async started(runId: RunId): Promise<StartRecord | undefined> {
    return parseStart(await readRecord(`${this.#run(runId)}/pid`))
  }

  /** The file is written once. A link to it, as the shim makes, leaves this time as it is. */
  async startedAt(runId: RunId): Promise<number | undefined> {
    const file = lstatSync(`${this.#run(runId)}/pid`, { throwIfNoEntry: false })
    return file === undefined ? undefined : Math.round(file.mtimeMs)
  }

  async exit(runId: RunId): Promise<ExitRecord | undefined> {
    this.#run(runId)
    return this.#exits.of(runId)
  }

  canRecordExit = () => this.#exits.haveRoom()
  exits = () => this.#exits.all()
  watchExits = (onExit: (runId: RunId) => void) => this.#exits.watch(onExit)

  async interrupted(runId: RunId): Promise<boolean> {
    return existsSync(`${this.#home.run(runId)}/interrupted`)
  }

  async readEvents(runId: RunId, offset: number, most: number, writer?: ProcessIdentity): Promise<Chunk> {
    const part: Chunk = await readPart(this.eventsFile(runId), offset, most)
    const held = part.gone ? this.#held.of(runId, writer) : undefined
    return held === undefined ? part : { ...readOpenFile(held, offset, most), held: true }
  }

  async *eventsFrom(runId: RunId, offset: number): AsyncGenerator<Uint8Array> {
    for (let at = offset; ; ) {
      const { bytes, gone } = await this.readEvents(runId, at, CHUNK_BYTES)
      if (gone) return yield* gzipPacking.readFrom(this.eventsFile(runId), at)
      if (bytes.length === 0) return
      yield bytes
      at += bytes.length
    }
  }

  async appendEvents(runId: RunId, lines: string): Promise<void> {
    const path = this.eventsFile(runId)
    const { bytes, gone }: Chunk = await readPart(path, -1, 1)
    if (gone) return
    const isTorn = bytes.length > 0 && bytes[0] !== NEWLINE
    const text = isTorn ? `\n${lines}` : lines
    await withDiskErrors(path, async () => appendAll(path, Buffer.from(text)))
  }

  isHeld(runId: RunId): boolean {
    return this.#held.has(runId)
  }

  written(runId: RunId): number {
    return (this.#held.size(runId) ?? sizeOf(this.eventsFile(runId))) + sizeOf(this.#stderrFile(runId))
  }

  async stderrTail(runId: RunId, mostBytes: number): Promise<string> {
    const { bytes } = await readPart(this.#stderrFile(runId), -mostBytes, mostBytes)
    // The cut may have halved a character. Colours are for a terminal.
    return stripVTControlCharacters(
      Buffer.from(bytes)
        .toString()
        .replace(/^\ufffd+/, ''),
    )
  }

  watchRun(runId: RunId, onChange: () => void): () => void {
    const directory = this.#run(runId)
    const stop = watchDirectory({ directory, make: false, onName: onChange, onGap: onChange })
    return () => {
      stop()
      this.#held.release(runId)
    }
  }

  bridge(runId: RunId): BridgeNote | null {
    try {
      return asBridgeNote(readFileSync(`${this.#run(runId)}/${BRIDGE_FILE}`, 'utf8')) ?? null
    } catch {
      return null
    }
  }

  noteBridge(runId: RunId, note: BridgeNote): void {
    replaceExisting(`${this.#run(runId)}/${BRIDGE_FILE}`, `${note}\n`)
  }

  async renewToken(runId: RunId, token: string): Promise<void> {
    const path = `${this.#run(runId)}/${TOKEN_FILE}`
    await withDiskErrors(path, async () => replaceExisting(path, token))
  }

  async forgetSecrets(runId: RunId): Promise<void> {
    await rm(`${this.#run(runId)}/${TOKEN_FILE}`, { force: true })
    await rm(`${this.#run(runId)}/env`, { force: true })
    await rm(this.filesDir(runId), { recursive: true, force: true })
    await rm(this.#unfinished(runId), { recursive: true, force: true })
    await this.#exits.removeUnfinished(runId)
  }

  #stderrFile(runId: RunId): string {
    return `${this.#run(runId)}/stderr.log`
  }

  has(runId: RunId): boolean {
    return RUN_ID.test(runId) && existsSync(this.#home.run(runId))
  }

  async shrink(runId: RunId): Promise<void> {
    const directory = this.#run(runId)
    await withDiskErrors(directory, () => shrinkRun(directory))
  }

  #run(runId: RunId): string {
    if (!RUN_ID.test(runId)) throw new HoldfastError('INVALID_ID', `'${printable(runId)}' is not a run id.`)
    return this.#home.run(runId)
  }

  #unfinished(runId: RunId): string {
    return `${this.#home.runs}/.${runId}.tmp`
  }
}

const sizeOf = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
