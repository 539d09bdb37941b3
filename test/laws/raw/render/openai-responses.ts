import type { Media, Plan, Rec } from '../plan.ts'
import { argsText, type Block, dataUrl, MODELS, toolsOf } from './shared.ts'

type Of<K extends Rec['kind']> = Extract<Rec, { kind: K }>

const ODD: readonly unknown[] = [
  { beam: 1 },
  'a bare text',
  null,
  { type: 'function_call', call_id: 7 },
  { type: 'message', role: 7 },
]

function mediaPart(media: Media): Block {
  if (media.kind === 'text') return { type: 'input_file', file_data: dataUrl(media), filename: 'notes.csv' }
  return { type: 'input_image', detail: 'auto', image_url: dataUrl(media) }
}

const spoken = (text: string, media: Media | undefined): readonly Block[] => [
  { type: 'input_text', text },
  ...(media === undefined ? [] : [mediaPart(media)]),
]

const ITEMS: { readonly [K in Rec['kind']]: (record: Of<K>, index: number) => unknown } = {
  user: ({ text, media }) => ({ type: 'message', role: 'user', content: spoken(text, media) }),
  instruction: ({ text }) => ({ type: 'message', role: 'developer', content: spoken(text, undefined) }),
  text: ({ text }, index) => ({
    type: 'message',
    id: `msg_${index}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }),
  thinking: ({ text, id }) => ({
    type: 'reasoning',
    id,
    summary: [{ type: 'summary_text', text }],
    encrypted_content: `ZW5j${id}`,
  }),
  call: (call, index) => ({
    type: 'function_call',
    id: `fc_${index}`,
    call_id: call.id,
    name: call.name,
    arguments: argsText(call),
    status: 'completed',
  }),
  result: ({ id, text, media }) => ({
    type: 'function_call_output',
    call_id: id,
    output: media === undefined ? text : spoken(text, media),
  }),
  server: ({ id, answered }) => ({
    type: 'web_search_call',
    id: `ws_${id}`,
    status: answered ? 'completed' : 'in_progress',
    action: {
      type: 'search',
      query: 'q',
      ...(answered ? { sources: [{ type: 'url', url: 'https://example.com/' }] } : {}),
    },
  }),
  native: ({ id }) => ({ type: 'compaction', id: `cmp_${id}`, encrypted_content: 'ZW5j' }),
  odd: ({ form }) => ODD[form % ODD.length],
}

export function openaiResponses({ system, records, toolTwice }: Plan): object {
  return {
    model: MODELS.openai,
    store: false,
    include: ['reasoning.encrypted_content'],
    ...(system === undefined ? {} : { instructions: system }),
    input: records.map((record, index) => ITEMS[record.kind](record as never, index)),
    tools: toolsOf(toolTwice).map((tool) => ({ type: 'function', ...tool, strict: null })),
  }
}
