import { ReadError } from '../../model/error.ts'
import { isObject } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import { assembler } from '../assemble.ts'
import { lineRecordsOf } from '../line-records.ts'
import type { Reader, ReadOptions, ReadResult, Source, SourceRecord } from '../reader.ts'
import { detect } from './detect.ts'
import { readJournal } from './journal.ts'
import { readRows } from './rows.ts'

/** Session files of zut, and the journals of its resident child agents. */
export const reader: Reader = { format: 'zut', detect, read }

function read(source: Source, options: ReadOptions): Omit<ReadResult, 'format'> {
  const records = lineRecordsOf(source)
  const kind = kindOf(records)
  if (kind === undefined) throw new ReadError('no row of a session and no record of a journal found', { format: 'zut' })
  const into = assembler({ unanswered: 'interrupted' })
  const about = kind === 'journal' ? readJournal(records, into) : readRows(records, options, into)
  const { messages, changes } = into.finish()
  return { session: { ...about, messages }, changes, branches: [] }
}

const KINDS: { readonly [type: string]: 'rows' | 'journal' } = {
  meta: 'rows',
  message: 'rows',
  compaction: 'rows',
  rename: 'rows',
  extension_state: 'rows',
  'child.accepted': 'journal',
  'turn.accepted': 'journal',
  'turn.started': 'journal',
  'turn.finished': 'journal',
  'child.interrupted': 'journal',
  'child.failed': 'journal',
  'message.user': 'journal',
  'message.assistant': 'journal',
  'tool.call': 'journal',
  'tool.result': 'journal',
}

/** By the first record that only one of the two has. */
function kindOf(records: readonly SourceRecord[]): 'rows' | 'journal' | undefined {
  for (const { value } of records) {
    const kind = isObject(value) ? own(KINDS, value.type) : undefined
    if (kind !== undefined) return kind
  }
  return undefined
}
