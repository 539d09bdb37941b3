import type { CallRec, Media, Plan, Rec } from '../plan.ts'
import { argsText, type Block, dataUrl, type Group, groups, MODELS, toolsOf } from './shared.ts'

const ODD: readonly unknown[] = [
  { role: 'hologram', content: 'beam' },
  'a bare text',
  null,
  { content: 'no role' },
  { role: 'user', content: 7 },
]

function callOf(call: CallRec): Block {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: argsText(call) } }
}

function assistant(records: readonly Rec[]): Block {
  const texts = records.flatMap((record) => (record.kind === 'text' ? [record.text] : []))
  const refused = records.some((record) => record.kind === 'native')
  const calls = records.flatMap((record) => (record.kind === 'call' ? [record] : []))
  const [only] = calls
  const text = texts.length === 0 ? null : texts.join('\n')
  return {
    role: 'assistant',
    content: refused ? [...(text === null ? [] : [{ type: 'text', text }]), { type: 'refusal', refusal: 'No.' }] : text,
    ...(only === undefined
      ? {}
      : only.legacy === true && calls.length === 1
        ? legacy(only)
        : { tool_calls: calls.map(callOf) }),
  }
}

function legacy(call: CallRec): object {
  return { function_call: { name: call.name, arguments: argsText(call) } }
}

function mediaPart(media: Media): Block {
  if (media.kind === 'text') return { type: 'file', file: { file_data: dataUrl(media), filename: 'notes.csv' } }
  return { type: 'image_url', image_url: { url: dataUrl(media) } }
}

function message(record: Rec): unknown {
  if (record.kind === 'odd') return ODD[record.form % ODD.length]
  if (record.kind === 'instruction') return { role: 'developer', content: record.text }
  if (record.kind === 'user') {
    if (record.media === undefined) return { role: 'user', content: record.text }
    return { role: 'user', content: [{ type: 'text', text: record.text }, mediaPart(record.media)] }
  }
  if (record.kind !== 'result') return undefined
  if (record.legacy === true) return { role: 'function', name: record.name, content: record.text }
  return { role: 'tool', tool_call_id: record.id, content: record.text }
}

function messages({ role, records }: Group): readonly unknown[] {
  const odd = records.filter((record) => record.kind === 'odd').map(message)
  if (role !== 'assistant') return records.map(message)
  return records.length === odd.length ? odd : [assistant(records), ...odd]
}

/** The API has no thinking and runs no calls; a result is a message of its own, wherever it stands. */
const SAID = (record: Rec): boolean => record.kind !== 'thinking' && record.kind !== 'server'

export function openaiChat({ system, records, toolTwice }: Plan): object {
  const role = (record: Rec) => (record.kind === 'result' ? 'user' : record.kind === 'odd' ? undefined : roleIn(record))
  return {
    model: MODELS.openai,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...groups(records.filter(SAID), role).flatMap(messages),
    ],
    tools: toolsOf(toolTwice).map((tool) => ({ type: 'function', function: tool })),
  }
}

function roleIn(record: Rec): Group['role'] {
  if (record.kind === 'user') return 'user'
  return record.kind === 'instruction' ? 'instruction' : 'assistant'
}
