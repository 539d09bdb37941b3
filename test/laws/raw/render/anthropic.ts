import type { Media, Plan, Rec } from '../plan.ts'
import { type Block, groups, MODELS, toolsOf } from './shared.ts'

type Of<K extends Rec['kind']> = Extract<Rec, { kind: K }>

function mediaBlock(media: Media): Block {
  if (media.kind === 'text') {
    const data = Buffer.from(media.base64, 'base64').toString('utf8')
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: 'notes' }
  }
  return { type: 'image', source: { type: 'base64', media_type: media.mediaType, data: media.base64 } }
}

/** What no reader can take for a block. */
const ODD: readonly unknown[] = [
  { beam: 1 },
  'a bare text',
  null,
  { type: 'text', text: 7 },
  { type: 'tool_use', id: 7 },
]

const BLOCKS: { readonly [K in Rec['kind']]: (record: Of<K>) => readonly unknown[] } = {
  user: ({ text, media }) => [{ type: 'text', text }, ...(media === undefined ? [] : [mediaBlock(media)])],
  instruction: ({ text }) => [{ type: 'text', text }],
  text: ({ text }) => [{ type: 'text', text }],
  thinking: ({ text, id }) => [{ type: 'thinking', thinking: text, signature: `c2ln${id}` }],
  call: ({ id, name, args, argsText }) => [{ type: 'tool_use', id, name, input: argsText ?? args }],
  result: ({ id, text, media, failed }) => [
    {
      type: 'tool_result',
      tool_use_id: id,
      content: media === undefined ? text : [{ type: 'text', text }, mediaBlock(media)],
      ...(failed ? { is_error: true } : {}),
    },
  ],
  server: ({ id, answered }) => [
    { type: 'server_tool_use', id: `srvtoolu_${id}`, name: 'web_search', input: { query: 'q' } },
    ...(answered
      ? [
          {
            type: 'web_search_tool_result',
            tool_use_id: `srvtoolu_${id}`,
            content: [
              { type: 'web_search_result', url: 'https://example.com/', title: 'T', encrypted_content: 'ZW5j' },
            ],
          },
        ]
      : []),
  ],
  native: () => [{ type: 'compaction', content: null }],
  odd: ({ form }) => [ODD[form % ODD.length]],
}

export function anthropicBlocks(record: Rec): readonly unknown[] {
  return BLOCKS[record.kind](record as never)
}

function marked(block: unknown): unknown {
  return { ...(block as object), cache_control: { type: 'ephemeral' } }
}

export function anthropic({ system, records, marked: marks, toolTwice }: Plan): object {
  return {
    model: MODELS.anthropic,
    max_tokens: 1024,
    ...(system === undefined ? {} : { system }),
    tools: toolsOf(toolTwice).map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    messages: groups(records).map(({ role, records: inside }) => ({
      role: role === 'instruction' ? 'system' : role,
      content: inside.flatMap((record) => {
        const blocks = anthropicBlocks(record)
        return marks === true && record.kind === 'user' && record.text !== '' ? blocks.map(marked) : blocks
      }),
    })),
  }
}
