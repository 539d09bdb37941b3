import type { FormatId } from '../model/session.ts'
import { reader as aiSdk } from './ai-sdk/index.ts'
import { reader as anthropic } from './anthropic/index.ts'
import { detectWith, readWith } from './choose.ts'
import { reader as claudeCode } from './claude-code/index.ts'
import { reader as cline } from './cline/index.ts'
import { reader as codex } from './codex/index.ts'
import { reader as continueDev } from './continue/index.ts'
import { reader as crush } from './crush/index.ts'
import { reader as dirge } from './dirge/index.ts'
import { reader as entries } from './entries/index.ts'
import { reader as geminiCli } from './gemini-cli/index.ts'
import { reader as goose } from './goose/index.ts'
import { reader as journal } from './journal/index.ts'
import { reader as langchain } from './langchain/index.ts'
import { reader as letta } from './letta/index.ts'
import { reader as oino } from './oino/index.ts'
import { reader as openaiChat } from './openai-chat/index.ts'
import { reader as openaiResponses } from './openai-responses/index.ts'
import { reader as opencode } from './opencode/index.ts'
import { reader as pi } from './pi/index.ts'
import { reader as qwenCode } from './qwen-code/index.ts'
import type { Reader, ReadOptions, ReadResult } from './reader.ts'
import { reader as roo } from './roo/index.ts'
import { reader as zut } from './zut/index.ts'

/** Of readers that are equally sure, the earlier one takes the source. */
export const readers: readonly Reader[] = [
  // Each of its lines says what it is.
  journal,
  // Stored formats first: their envelopes leave no doubt, and what they hold looks like the bodies below.
  dirge,
  claudeCode,
  // Its bare generation is items of the Responses API between lines of its own.
  codex,
  // Certain of its sessions and operations; a bare list of contents it leaves to whoever is surer.
  geminiCli,
  // Its tree is that of Claude Code, what its records hold is that of Gemini CLI.
  qwenCode,
  // Before pi, whose form it may have, with records of its own.
  oino,
  // Its header names it.
  pi,
  // Its messages look like bodies without types.
  zut,
  // The envelope of each message, or the names of tables, tell it.
  opencode,
  // Tables only.
  crush,
  // Tags of content that only MCP clients of its kind write.
  goose,
  // Blocks of Anthropic between keys of its own; before Cline, whose form it has.
  roo,
  // The same blocks, or what a screen showed, with who answered on each answer.
  cline,
  // A history whose items hold messages.
  continueDev,
  // An agent with its messages.
  letta,
  // Envelopes that name the classes of messages.
  langchain,
  // Parts with types and names of fields that no API has.
  aiSdk,
  // Our own form before those of APIs: its calls carry their outcome, which none of them knows.
  entries,
  // Typed blocks and items say more than plain messages.
  openaiResponses,
  anthropic,
  // Last, since messages of nothing but role and content are most often stored in this form.
  openaiChat,
]

/** The format that fits best, or undefined when none does or the source cannot be read at all. */
export function detectFormat(source: string | Uint8Array | object): FormatId | undefined {
  return detectWith(readers, source)
}

/** @throws {ReadError} when nothing can be read, with the format, line and path where they are known. */
export function readSession(source: string | Uint8Array | object, options: ReadOptions = {}): ReadResult {
  return readWith(readers, source, options)
}
