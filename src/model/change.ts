import { preview } from './json.ts'
import type { Change, ChangePlace, Severity } from './session.ts'

interface Row {
  readonly severity: Severity
  /** What happened, in one sentence; the `message` of a change unless a more exact one is given. */
  readonly meaning: string
  readonly why: string
}

/** Every code a reader, a repair or a writer can report. */
export const CHANGES = {
  // Reading
  'line-unreadable': {
    severity: 'loss',
    meaning: 'A line is not valid JSON and was skipped.',
    why: 'One bad line must not cost its neighbours.',
  },
  'line-torn': {
    severity: 'loss',
    meaning: 'The last line is cut off and was skipped.',
    why: 'A crash while appending leaves half a record.',
  },
  'line-too-long': {
    severity: 'loss',
    meaning: 'A line is over the size limit and was skipped.',
    why: 'Memory stays bounded; `maxLineBytes` raises the limit.',
  },
  'line-glued': {
    severity: 'info',
    meaning: 'Several records stood on one line and were split.',
    why: 'Two writers, or a lost newline.',
  },
  'file-cut-off': {
    severity: 'loss',
    meaning: 'The compressed file ends early or is damaged; what came before was read.',
    why: 'A crash while writing costs the end of a file, not the whole.',
  },
  'record-unknown': {
    severity: 'info',
    meaning: 'A record of an unknown kind was skipped.',
    why: 'Producers add record kinds; those that are no conversation are not needed.',
  },
  'record-duplicate': {
    severity: 'info',
    meaning: 'A record is stored twice; one copy was used.',
    why: 'Producers rewrite lines; the same record must not be sent twice.',
  },
  'record-invalid': {
    severity: 'loss',
    meaning: 'A record lacks what its kind needs and was skipped.',
    why: 'A record with a field of the wrong type must not cost its neighbours.',
  },
  'part-invalid': {
    severity: 'loss',
    meaning: 'A content block lacks what its kind needs and was skipped.',
    why: 'A block with a field of the wrong type must not cost its neighbours.',
  },
  'part-misplaced': {
    severity: 'repair',
    meaning: 'A content block stood in a message of a role that does not hold it, and was read by what it is.',
    why: 'Pairing rules, not places, decide what becomes of calls and results.',
  },
  'value-too-deep': {
    severity: 'repair',
    meaning: 'A value nested over 256 levels was kept as text.',
    why: 'Deeper values exhaust the stack of parsers and writers.',
  },
  'value-not-json': {
    severity: 'repair',
    meaning: 'A value in memory that JSON has no form for was left out, or a note stands for it.',
    why: 'Sessions are JSON, so that they can be stored and sent.',
  },
  'orphan-result': {
    severity: 'loss',
    meaning: 'A tool result without an earlier call of its id was left out.',
    why: 'APIs refuse it, and tool output is untrusted, so it never becomes user text.',
  },
  'duplicate-result': {
    severity: 'loss',
    meaning: 'A further result of a call that has one was left out.',
    why: 'APIs take exactly one result for each call.',
  },
  'synthetic-result-replaced': {
    severity: 'info',
    meaning: "A producer's own closing text was replaced by the real result stored later.",
    why: 'The real outcome is the truth.',
  },
  'result-moved': {
    severity: 'repair',
    meaning: 'A result that stood apart from its call was put with it.',
    why: 'APIs want results directly behind their calls.',
  },
  'result-paired-by-order': {
    severity: 'repair',
    meaning: 'A result without an id was paired with the oldest open call of that name.',
    why: 'Some producers store no ids.',
  },
  'call-unfinished': {
    severity: 'info',
    meaning: 'A call has no stored result; its outcome is unknown.',
    why: 'The process ended before the result was stored.',
  },
  'history-truncated': {
    severity: 'loss',
    meaning: 'A record names a parent that is not stored.',
    why: 'The file lost records, or holds the end of a longer session.',
  },
  'branch-left-out': {
    severity: 'info',
    meaning: 'Another branch of the session was not taken.',
    why: 'Only one branch is the active conversation; `leaf` takes another.',
  },
  'compaction-applied': {
    severity: 'info',
    meaning: 'Earlier messages are replaced by the stored summary.',
    why: "This is what the tool itself sends; `history: 'full'` reads the messages.",
  },
  'message-left-out': {
    severity: 'info',
    meaning: 'A message that never went to or came from the API was left out.',
    why: 'Producers store notes of their own as messages.',
  },
  'part-left-out': {
    severity: 'info',
    meaning: 'A part that never went to or came from the API was left out.',
    why: 'Producers keep notes of their own, and what their screens show, among the parts of messages.',
  },
  'session-left-out': {
    severity: 'info',
    meaning: 'Other sessions of the source were not taken.',
    why: 'One session is read at a time; `id` picks another, `readSessionDir` reads them all.',
  },
  'file-left-out': {
    severity: 'info',
    meaning: 'A file of the folder was left out.',
    why: 'Folders hold other files too; one that cannot be read must not cost its neighbours.',
  },
  'database-damaged': {
    severity: 'loss',
    meaning: 'The database is damaged; the rows that could be read were taken.',
    why: 'A crash, or a copy made while the tool was writing, costs some pages, not the whole.',
  },
  'legacy-function-call': {
    severity: 'info',
    meaning: 'A legacy function call was read as a tool call.',
    why: 'The form is deprecated; tool calls carry the same meaning.',
  },
  // Repairing
  'text-ill-formed': {
    severity: 'repair',
    meaning: 'Lone surrogates or NUL characters were replaced.',
    why: 'APIs refuse a body that is not valid JSON text.',
  },
  'id-made': {
    severity: 'repair',
    meaning: 'A call without an id was given one.',
    why: 'APIs pair results with calls by id.',
  },
  'id-renamed': {
    severity: 'repair',
    meaning: 'The id of a call was changed, for its result alike.',
    why: 'The API refuses its characters, its length, or its second use.',
  },
  'name-changed': {
    severity: 'repair',
    meaning: 'The name of a tool was changed, in calls and definitions alike.',
    why: 'The API refuses its characters or its length.',
  },
  'args-wrapped': {
    severity: 'repair',
    meaning: 'Arguments that are no JSON object were wrapped in one.',
    why: 'The API takes a JSON object.',
  },
  'args-rewritten': {
    severity: 'info',
    meaning: 'The text of arguments was written anew from their value.',
    why: 'The stored text does not parse to the stored value.',
  },
  'text-empty': {
    severity: 'info',
    meaning: 'An empty or blank text was left out.',
    why: 'APIs refuse empty text blocks.',
  },
  'message-empty': {
    severity: 'info',
    meaning: 'A message without content was left out.',
    why: 'APIs refuse empty messages.',
  },
  'reasoning-left-out': {
    severity: 'loss',
    meaning: 'Reasoning was left out.',
    why: 'Only its own API, provider and model take signed reasoning, and only behind an unchanged prefix.',
  },
  'reasoning-as-text': {
    severity: 'repair',
    meaning: 'Reasoning was written as text.',
    why: "`reasoning: 'text'` was asked for.",
  },
  'media-left-out': {
    severity: 'loss',
    meaning: 'Media the API does not take was replaced by a note.',
    why: 'The API refuses its kind, its type or its source.',
  },
  'media-as-text': {
    severity: 'repair',
    meaning: 'A text file was written as text.',
    why: 'The API takes no file of its type.',
  },
  'media-moved': {
    severity: 'repair',
    meaning: 'Media of a tool result was moved behind the results.',
    why: 'The API takes text only in this result.',
  },
  'media-type-changed': {
    severity: 'repair',
    meaning: 'The media type was set to what the bytes say.',
    why: 'APIs compare the two.',
  },
  'native-left-out': {
    severity: 'loss',
    meaning: 'A block that only another API knows was left out.',
    why: 'It has no text form.',
  },
  'native-as-text': {
    severity: 'repair',
    meaning: 'A block that only another API knows was written as its text.',
    why: 'This API has no such block.',
  },
  'provider-call-as-text': {
    severity: 'repair',
    meaning: 'A call that another API ran itself was written as text.',
    why: 'This API cannot replay it.',
  },
  'provider-call-left-out': {
    severity: 'loss',
    meaning: 'A call that the API ran itself was left out.',
    why: 'It cannot be replayed and has no text form.',
  },
  'text-moved': {
    severity: 'repair',
    meaning: 'Text behind a tool call was put in front of it.',
    why: 'Some models and servers take nothing behind a call.',
  },
  'extra-left-out': {
    severity: 'info',
    meaning: 'A field of this API was left out.',
    why: 'The API takes it in answers or elsewhere only.',
  },
  // Writing
  'call-closed': {
    severity: 'repair',
    meaning: 'A call with unknown outcome was given a result that says so.',
    why: 'APIs refuse a call without its result.',
  },
  'call-pending': {
    severity: 'repair',
    meaning: 'A call that still waits was given a result that says so.',
    why: 'APIs refuse a call without its result.',
  },
  'result-empty': {
    severity: 'repair',
    meaning: 'A result without content was given a text that says so.',
    why: 'Some servers of the API refuse an empty text.',
  },
  'error-flag-as-text': {
    severity: 'info',
    meaning: 'The failure of a call is told by its text alone.',
    why: 'This API has no error flag on results.',
  },
  'instruction-hoisted': {
    severity: 'info',
    meaning: 'A leading instruction became part of the system prompt.',
    why: 'The API takes it there.',
  },
  'instruction-moved': {
    severity: 'repair',
    meaning: 'An instruction was moved behind the user turn.',
    why: 'The API takes it only there.',
  },
  'instruction-as-user': {
    severity: 'repair',
    meaning: 'An instruction was written as user text.',
    why: 'The model takes none in mid-conversation.',
  },
  'instructions-replaced': {
    severity: 'loss',
    meaning: 'The stored system prompt was left out.',
    why: 'The `instructions` option asked for it.',
  },
  'instruction-role-changed': {
    severity: 'info',
    meaning: 'A system instruction was written as a developer message, or the reverse.',
    why: 'The model takes the other role.',
  },
  'messages-merged': {
    severity: 'info',
    meaning: 'Adjacent messages of one role were written as one.',
    why: 'The API reads them as one turn; earlier versions refused them apart.',
  },
  'first-turn-made': {
    severity: 'repair',
    meaning: 'A user turn was put in front.',
    why: 'The API wants a conversation to begin with the user.',
  },
  'end-trimmed': {
    severity: 'info',
    meaning: 'The end of the last message was made fit.',
    why: 'The API refuses trailing white space or trailing reasoning there.',
  },
  'thinking-bridge': {
    severity: 'repair',
    meaning: 'A short exchange was put behind the last results.',
    why: 'With thinking on, the API wants the open tool turn to begin with thinking, which was not stored.',
  },
  'cache-marker-left-out': {
    severity: 'info',
    meaning: 'A cache marker was left out.',
    why: 'The API takes four at most, on blocks that can be cached.',
  },
  'item-id-left-out': {
    severity: 'info',
    meaning: 'The id of a stored item was left out.',
    why: 'The API looks ids up and refuses those it does not know.',
  },
  'tools-stubbed': {
    severity: 'repair',
    meaning: 'Tool definitions were made from the names in the history.',
    why: 'The API wants tools when the history has calls; give `tools` to avoid it.',
  },
  'tool-undefined': {
    severity: 'info',
    meaning: 'The history calls a tool that is not among the definitions.',
    why: 'Calls stay as they were; the model may call it again.',
  },
  'prefix-changed': {
    severity: 'repair',
    meaning: 'A late result changed messages that were already written.',
    why: "The provider's prompt cache starts anew there, and signed reasoning behind it is not valid.",
  },
  'result-resolved': {
    severity: 'info',
    meaning: 'The outcome of a call was supplied by the `call` hook.',
    why: 'The store may know what the transcript does not.',
  },
  'media-resolved': {
    severity: 'info',
    meaning: 'Media was supplied by the `media` hook.',
    why: 'The store may know what the transcript does not.',
  },
} as const

export type ChangeCode = keyof typeof CHANGES

const ROWS: { readonly [code in ChangeCode]: Row } = CHANGES

export interface ChangeDetail {
  /** Instead of the table's `meaning`. */
  readonly message?: string
  readonly before?: unknown
  readonly after?: unknown
}

/** A change of the table's severity, its previews cut to 200 characters. */
export function change(code: ChangeCode, at: ChangePlace, detail: ChangeDetail = {}): Change {
  const row = ROWS[code]
  const made: { -readonly [K in keyof Change]: Change[K] } = {
    code,
    severity: row.severity,
    message: detail.message ?? row.meaning,
    at,
  }
  if (detail.before !== undefined) made.before = preview(detail.before)
  if (detail.after !== undefined) made.after = preview(detail.after)
  return made
}
