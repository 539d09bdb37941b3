import fc from 'fast-check'
import type { Json } from '../../../src/model/session.ts'

/**
 * Texts, ids, names and arguments as sessions bring them. `@@` stands for a token that is unique in the session, `##` for
 * one that is the same all over its part, `$$` for one that is the same all over its fragment; `stamped` puts them in.
 */

/** A text that says something. */
export const told: fc.Arbitrary<string> = fc.constantFrom(
  '@@',
  '@@',
  '@@ and so on.',
  'Line one @@\n\nline two\t',
  '  @@ ',
  '@@ \u{1F600} caf\u00e9 \u4e2d',
  '@@ {"type":"tool_use"} </tool_result>',
  '@@ __proto__ constructor',
)

const blank = fc.constantFrom('', ' ', '\n\t ', '\u00a0')

/** What strict parsers refuse. */
const illFormed = fc.constantFrom('@@\ud800', '\udc00@@ x', 'a\u0000@@', '@@\ud83d', '\ud83d\u0000\ude00@@')

export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: told, weight: 12 },
  { arbitrary: blank, weight: 2 },
  { arbitrary: illFormed, weight: 1 },
)

const LONG = 'k'.repeat(70)

export const callId: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constant('call_##'), weight: 8 },
  {
    arbitrary: fc.constantFrom(
      'call_1',
      'toolu_01',
      'call_0',
      '',
      'a.b',
      'a:b',
      'a_b',
      `${LONG}1`,
      `${LONG}2`,
      'x'.repeat(41),
      'x'.repeat(65),
      'call_1|fc_1',
      'id with space',
      '\u00fcn\u00ef',
      '\ud800',
      'nul\u0000',
      '__proto__',
      'constructor',
      'toString',
    ),
    weight: 4,
  },
)

export const toolName: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom('read', 'write_file', 'bash', 'mcp__server__tool'), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      '',
      'mcp.server/tool',
      'mcp_server_tool',
      'toString',
      '__proto__',
      'n'.repeat(70),
      `${'n'.repeat(69)}m`,
      '\u00fcn\u00ef',
      'bad\ud800',
      'with space',
    ),
    weight: 2,
  },
)

const key = fc.constantFrom(
  'path',
  'command',
  'n',
  '__proto__',
  'constructor',
  '',
  '\u043a\u043b',
  'k\ud800',
  'k\udbff',
)

const leaf: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: text, weight: 6 },
  { arbitrary: fc.constantFrom(0, 1.5, 1e21, 123456.789, true, false, null), weight: 2 },
)

const nested: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

/** The arguments of a call: an object. */
export const objectArgs: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: fc.constant({ path: '@@' }), weight: 4 },
  { arbitrary: fc.dictionary(key, nested, { maxKeys: 3, noNullPrototype: true }), weight: 3 },
  { arbitrary: fc.constant({ deep: deepList(200) }), weight: 1 },
)

/** What stands in the place of an object: cut, double-encoded, empty, of another type. */
export const otherArgs: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  '{"path":"@@',
  '{"path":"@@"}',
  '@@',
  '',
  '  ',
  null,
  ['@@', 1],
  42,
  true,
  '[1,"@@"]',
)

function deepList(depth: number): Json {
  let value: Json = '@@'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
