/** A rule in our own words, and what of this library obeys it. */
export type Meaning = readonly [meaning: string, repair: string]

// Calls and results
export const PAIRED: string =
  'Writers put every result directly behind its calls and close a call without one with a text that says so (`texts` rewords it).'
export const FOUND: string =
  'Readers put a result to its call wherever it stands; one without any call is left out and reported as `orphan-result`.'
export const ONCE: string = 'Readers keep the first real result of a call and report the others as `duplicate-result`.'
export const IDS: string =
  'The repair step `ids` gives such a call another id, in call and result alike, and reports `id-made` or `id-renamed`.'
export const NAMES: string =
  'The repair step `names` changes such a name in calls and definitions alike and reports `name-changed`.'
export const ARGS: string =
  'The repair step `args` parses what is JSON, wraps what is no object, and reports `args-wrapped` or `args-rewritten`.'
export const CALLS_FIRST: string =
  'The repair step `textBehindCalls` puts such text in front of the calls at `level: "strict"` and reports `text-moved`.'
export const TOOLS: string =
  'Pass your definitions as `tools`; without any, writers make stubs from the names in the history (`tools-stubbed`).'

// Texts and messages
export const STRINGS: string =
  'The repair step `strings` replaces lone surrogates and NUL anywhere in the history and reports `text-ill-formed`.'
export const BLANK: string =
  'The repair step `blankText` leaves out blank texts, and messages that hold nothing else (`text-empty`, `message-empty`).'
export const MERGED: string =
  'Writers join adjacent messages of one role where the API or its least tolerant server wants turns (`messages-merged`).'
export const FIRST: string =
  'At `level: "strict"` a writer puts a user turn in front of a history that has none (`first-turn-made`).'
export const NEXT: string =
  'Pass the coming user turn as `next`, which stands behind all results; the history then ends with it.'
export const END: string =
  'A writer trims the end of a last assistant turn and reports `end-trimmed`; `next` puts a user turn behind it.'
export const SYSTEM: string =
  'Writers move instructions to where model and API take them: pass `model`; reported as `instruction-hoisted`, `-moved` or `-as-user`.'
export const FORM: string =
  'Writers make every message and block anew in its full form: convert the stored session instead of passing it on.'
export const FIELDS: string =
  'Writers write the fields that the API knows and no others; what is left out is reported as `extra-left-out`.'

// Reasoning, items, provider-run calls
export const REASONING: string =
  'The repair step `reasoning` leaves out what the API would not verify (`reasoning-left-out`); `reasoning: "drop"` leaves out all.'
export const THINKING: string =
  'Say by `thinking` and `model` what the request turns on; `reasoning` and the writer then keep the order the API wants.'
export const ITEM_IDS: string =
  'The repair step `itemIds` leaves out ids that the API would look up in vain and reports `item-id-left-out`.'
export const STORE: string =
  'Pass `store` as the request has it: with `false`, reasoning goes back encrypted or not at all, and items lose their ids.'
export const NATIVES: string =
  'The repair step `natives` writes what this API cannot replay as text, or leaves it out, and reports which.'
export const PAIRS_OF_API: string =
  'The repair step `natives` replays a provider-run call with its genuine result only; else `provider-call-as-text` or `-left-out`.'

// Media, cache, platforms
export const MEDIA: string =
  'The repair step `media` corrects media types, moves media out of results, or leaves a note; `media: "describe"` describes all.'
export const DESCRIBE: string =
  'Only the server sees it: `media: "describe"` writes a note in place of all media, or give another source by `resolveSession`.'
export const CACHE: string =
  'Writers keep markers in the form and number the API takes (`cache-marker-left-out`); `cache: "drop"` or `"auto"` replaces them.'
export const PLATFORM: string = 'Pass `platform`, so that the writer leaves out what that platform does not take.'

// What a history cannot answer for
export const LONG: string =
  'Tokens and bytes are not counted here: read a compacted history (`history: "active"`), or drop old turns as whole messages.'
export const YOURS: string =
  'Not part of the history: set this parameter beside `request`, which holds only what comes from the session.'
export const HEADERS: string = 'Not part of the history: set this header or field in your client.'
export const MODEL: string = 'Name a model that the account has, in the request and as `model` of the conversion.'
export const DEFINITIONS: string =
  'Correct your `tools`; the writer makes their names fit and their parameters the schema of an object.'
export const ACCEPTED: string = 'Nothing to repair: the API takes this.'
export const BETA: string =
  'Send the beta header that the block came with, or convert without it: `natives` then writes it as text.'
