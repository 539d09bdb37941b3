import { CACHE } from './cache.ts'
import { COMPACTION } from './compaction.ts'
import { EMPTY_TEXTS, EMPTY_TURNS } from './empties.ts'
import { JSON_ENCODING } from './json-encoding.ts'
import { MEDIA } from './media.ts'
import { CONTAINER_RULES, MODEL_GATES } from './model-gates.ts'
import { PAIRING } from './pairing.ts'
import { BLOCK_IN_ROLE, LEGACY_ROLES } from './roles.ts'
import type { Rule } from './run.ts'
import { SCHEMA } from './schema-top.ts'
import { SECRETS_RULES } from './secrets.ts'
import { SERVER_TOOLS } from './server-tools.ts'
import { SIZE } from './size.ts'
import { STRICT_SCHEMA_RULES } from './strict-schemas.ts'
import { SYSTEM_ROLE } from './system-role.ts'
import { TAIL } from './tail.ts'
import { SIGNATURES, THINKING_LAYOUT } from './thinking.ts'
import { TOOL_REFERENCES } from './tool-references.ts'
import { TOOL_RULES, TOOLS_DEFINED } from './tools.ts'

/** Every rule in the order in which the API looks: the first violation is its answer. */
export const ORDER: readonly Rule[] = [
  // The server in front of the API counts bytes before anything is read.
  ...SIZE,
  // A text that is no JSON has no fields.
  ...JSON_ENCODING,
  // Types, parameter by parameter, message by message.
  ...SCHEMA,
  // What holds between definitions needs definitions of the right type.
  ...TOOL_RULES,
  // What the model takes, before the conversation is looked at.
  ...MODEL_GATES,
  // Measured as the first of the conversation phase.
  ...SYSTEM_ROLE,
  // How the API of 2023 and 2024 began the conversation phase; today these are accepted.
  ...LEGACY_ROLES,
  ...EMPTY_TURNS,
  ...BLOCK_IN_ROLE,
  ...EMPTY_TEXTS,
  // Ids first, then pairs, then a second result; all of it wins over prefill, as measured.
  ...PAIRING,
  ...SERVER_TOOLS,
  ...COMPACTION,
  ...TOOL_REFERENCES,
  ...TOOLS_DEFINED,
  ...THINKING_LAYOUT,
  // How the conversation ends: prefill, then white space.
  ...TAIL,
  ...CACHE,
  // Measured behind the conversation phase.
  ...CONTAINER_RULES,
  // Only a request that has passed so far is decoded, verified and compiled.
  ...MEDIA,
  ...SIGNATURES,
  ...SECRETS_RULES,
  ...STRICT_SCHEMA_RULES,
]
