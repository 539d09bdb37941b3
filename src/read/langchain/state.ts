import { type Fields, isObject, parseOrText, stringAt, valueAt } from '../../model/json.ts'
import { soleValue } from '../body.ts'
import type { Source } from '../reader.ts'
import { type Row, rowsOf, tablesOf } from '../tables.ts'
import { isSerialised } from './envelope.ts'

/** What a source holds of a graph. */
export interface State {
  readonly list: readonly unknown[]
  /** The graph stands still at an interrupt: somebody is asked. */
  readonly interrupted: boolean
  /** The thread. */
  readonly id?: string | undefined
  readonly createdAt?: unknown
}

/**
 * A list of messages, a state of a graph (`messages`, `values`), a checkpoint (`channel_values`), a checkpoint with its writes, or
 * the tables of a store of checkpoints. Undefined when there are no messages in it.
 */
export function stateOf(source: Source): State | undefined {
  const tables = tablesOf(source)
  if (tables !== undefined) return ofTables(tables)
  const value = soleValue(source)
  if (Array.isArray(value)) return ofList(value)
  if (!isObject(value))
    return source.records === undefined ? undefined : ofList(source.records.map(({ value: one }) => one))
  return ofObject(plain(value)) ?? (isMessage(value) ? ofList([value]) : undefined)
}

const ofList = (list: readonly unknown[]): State => ({ list, interrupted: false })

const isMessage = (value: unknown): boolean => isSerialised(value) || stringAt(value, 'type') !== undefined

/** Serialised objects may stand around the state too. */
function plain(value: Fields): Fields {
  return isSerialised(value) && isObject(value.kwargs) && Array.isArray(value.kwargs.messages) ? value.kwargs : value
}

function ofObject(value: Fields): State | undefined {
  const checkpoint = isObject(value.checkpoint) ? value.checkpoint : value
  const places = [checkpoint.channel_values, value.values, value]
  const list = places.map((place) => valueAt(place, 'messages')).find(Array.isArray)
  if (list === undefined) return undefined
  const writes = writesIn(value.pending_writes)
  return {
    list: merged(list, writes),
    interrupted: isInterrupted(value) || places.some(isInterrupted) || writes.interrupted,
    id: threadOf(value),
    createdAt: value.created_at ?? checkpoint.ts,
  }
}

/** Where somebody is asked: under the key of the result, among the tasks of a snapshot, or among those of a thread. */
function isInterrupted(value: unknown): boolean {
  if (isFull(valueAt(value, '__interrupt__')) || isFull(valueAt(value, 'interrupts'))) return true
  const tasks = valueAt(value, 'tasks')
  return Array.isArray(tasks) && tasks.some((task) => isFull(valueAt(task, 'interrupts')))
}

const isFull = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0

function threadOf(value: Fields): string | undefined {
  const config = valueAt(value.config, 'configurable')
  return stringAt(config, 'thread_id') ?? stringAt(value.metadata, 'thread_id') ?? stringAt(value, 'thread_id')
}

interface Writes {
  readonly messages: readonly unknown[]
  readonly interrupted: boolean
}

/** What tasks gave that is not yet in the checkpoint: `[task, channel, value]`. */
function writesIn(list: unknown): Writes {
  const writes = Array.isArray(list) ? list.filter(Array.isArray) : []
  return gathered(writes.map(([, channel, value]): readonly [unknown, unknown] => [channel, value]))
}

function gathered(writes: readonly (readonly [unknown, unknown])[]): Writes {
  const messages = writes.flatMap(([channel, value]) =>
    channel === 'messages' ? (Array.isArray(value) ? value : [value]) : [],
  )
  return { messages, interrupted: writes.some(([channel]) => channel === '__interrupt__') }
}

/** As the graph itself adds messages: one of a known id replaces, any other is appended. */
function merged(list: readonly unknown[], { messages }: Writes): readonly unknown[] {
  if (messages.length === 0) return list
  const all = [...list]
  const places = new Map(all.map((message, index) => [idIn(message), index]))
  for (const message of messages) {
    const id = idIn(message)
    const place = id === undefined ? undefined : places.get(id)
    if (place === undefined) all.push(message)
    else all[place] = message
  }
  return all
}

function idIn(message: unknown): string | undefined {
  return stringAt(valueAt(message, 'kwargs') ?? valueAt(message, 'data') ?? message, 'id')
}

/** The newest checkpoint of the newest thread: ids of checkpoints sort as their times do. */
function ofTables(tables: Fields): State | undefined {
  let newest: Row | undefined
  for (const row of rowsOf(tables, 'checkpoints')) {
    const isRoot = (stringAt(row, 'checkpoint_ns') ?? '') === ''
    if (isRoot && (newest === undefined || idOfRow(row) > idOfRow(newest))) newest = row
  }
  const checkpoint = newest === undefined ? undefined : columnAt(newest, 'checkpoint')
  if (newest === undefined || !isObject(checkpoint)) return undefined
  const [thread, id] = [newest.thread_id, idOfRow(newest)]
  const writes = rowsOf(tables, 'writes').filter(
    (row) => row.thread_id === thread && idOfRow(row) === id && (stringAt(row, 'checkpoint_ns') ?? '') === '',
  )
  const state = ofObject({ checkpoint, thread_id: thread })
  if (state === undefined) return undefined
  const found = gathered(writes.map((row) => [row.channel, columnAt(row, 'value')]))
  return { ...state, list: merged(state.list, found), interrupted: state.interrupted || found.interrupted }
}

const idOfRow = (row: Row): string => stringAt(row, 'checkpoint_id') ?? ''

/** JSON text, or its bytes; other serialisations are not read. */
function columnAt(row: Row, column: string): unknown {
  const stored = row[column]
  const text = stored instanceof Uint8Array ? new TextDecoder().decode(stored) : stored
  return typeof text === 'string' ? parseOrText(text) : text
}
