import { ReadError } from '../../model/error.ts'
import type { Fields } from '../../model/json.ts'
import type { Author, ChangePlace } from '../../model/session.ts'
import { type Assembler, assembler } from '../assemble.ts'
import { authorOf } from '../author.ts'
import { ITEM } from '../openai-responses/structure.ts'
import type { Reader, ReadOptions, ReadResult, Source } from '../reader.ts'
import { type Report, reporter } from '../report.ts'
import { shallow } from '../shallow.ts'
import { detect } from './detect.ts'
import { kindOf } from './fragments.ts'
import { historyOf, type Replayed } from './history.ts'
import { CodexItems } from './items.ts'
import { isMessage, type LoggedItem } from './log.ts'
import { Recorder } from './recorder.ts'
import { entriesOf } from './rollout.ts'
import { sessionFields } from './session.ts'
import { type Stamp, StampedTurns } from './turns.ts'

/** Rollouts of Codex CLI, of all its generations. */
export const reader: Reader = { format: 'codex', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const into = assembler({ unanswered: 'interrupted' })
  const recorder = recorded(source, into)
  const { replayed, changes } = historyOf(recorder.log.entries, options.history)
  for (const change of changes) into.report(change)
  replay(replayed, recorder.meta, options, into)
  const told = into.finish()
  const about = sessionFields(boundedMeta(recorder.meta ?? {}), recorder.folder)
  return { session: { ...about, messages: told.messages }, changes: told.changes, branches: [] }
}

function recorded(source: Source, into: Assembler): Recorder {
  const place: { line?: number } = {}
  const report = reporter(
    (change) => into.report(change),
    () => ({ ...place }),
  )
  const recorder = new Recorder(report)
  for (const entry of entriesOf(source)) {
    if (entry.line !== undefined) place.line = entry.line
    recorder.take(entry)
  }
  if (recorder.known === 0) throw new ReadError('no record of a rollout found', { format: 'codex' })
  return recorder
}

function replay(replayed: readonly Replayed[], meta: Fields | undefined, options: ReadOptions, into: Assembler): void {
  const turns = new StampedTurns()
  const items = new CodexItems(turns)
  const authors = new Authors(meta, options)
  let line: number | undefined
  const at = (): ChangePlace => ({ message: turns.here, ...(line === undefined ? {} : { line }) })
  const report = reporter((change) => into.report(change), at)
  for (const logged of replayed) {
    line = logged.line
    if (logged.kind === 'note') {
      turns.noted(logged.usage === undefined ? { stop: 'aborted' } : { usage: logged.usage })
      continue
    }
    turns.stamp(stampOf(logged, authors))
    items.add(isFlat(logged.item) ? logged.item : bounded(logged.item, report), report, line)
  }
  turns.emit(into)
}

function stampOf({ at, item, model, summary }: LoggedItem, authors: Authors): Stamp {
  const by = authors.of(model)
  if (summary === true) return { at, by, kind: 'summary' }
  if (item.type === 'agent_message') return { at, by, kind: 'injected' }
  return { at, by, kind: item.role === 'user' && isMessage(item) ? kindOf(item) : undefined }
}

/** Who answered, by model. */
class Authors {
  readonly #known = new Map<string, Author>()
  readonly #provider: string | undefined
  readonly #options: ReadOptions

  constructor(meta: Fields | undefined, options: ReadOptions) {
    const provider = meta?.model_provider
    this.#provider = typeof provider === 'string' && provider !== '' ? provider : undefined
    this.#options = options
  }

  of(model: string | undefined): Author | undefined {
    const known = model === undefined ? undefined : this.#known.get(model)
    if (model === undefined || known !== undefined) return known
    const plain = authorOf('openai-responses', this.#options, model)
    const isNamed = this.#options.dialect === undefined && this.#provider !== undefined
    const author = { ...plain, model, ...(isNamed ? { provider: this.#provider } : {}) }
    this.#known.set(model, author)
    return author
  }
}

/** Most items hold texts alone: looking for depth costs more than reading them. */
function isFlat(item: Fields): boolean {
  for (const key in item) if (typeof item[key] === 'object') return false
  return true
}

function bounded(item: Fields, report: Report): Fields {
  return shallow(item, ITEM, (before) => report('value-too-deep', { before })) as Fields
}

function boundedMeta(meta: Fields): Fields {
  return shallow(meta, META, () => {}) as Fields
}

const META = { keys: new Set<string>(), levels: 1 }
