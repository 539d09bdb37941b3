import { isObject, parseOrText, stringAt } from '../../model/json.ts'
import { own } from '../../model/own.ts'
import type { Json } from '../../model/session.ts'
import type { OpenCall } from '../assemble.ts'

/** A call as the screen shows it: its id was not shown, and its name only in a form of the screen's own. */
export interface ShownCall {
  readonly call: OpenCall
  /** The names that the tool may have. */
  readonly names: ReadonlySet<string>
}

const names = (...all: readonly string[]): readonly string[] => all

/** What the screen calls a tool, and what the model may have called. */
const TOOLS: { readonly [tool: string]: readonly string[] } = {
  readFile: names('read_file'),
  newFileCreated: names('write_to_file', 'replace_in_file', 'apply_diff', 'apply_patch'),
  editedExistingFile: names('replace_in_file', 'write_to_file', 'apply_diff', 'search_and_replace', 'apply_patch'),
  appliedDiff: names('apply_diff'),
  insertContent: names('insert_content'),
  searchAndReplace: names('search_and_replace'),
  fileDeleted: names('apply_patch'),
  listFilesTopLevel: names('list_files'),
  listFilesRecursive: names('list_files'),
  listCodeDefinitionNames: names('list_code_definition_names'),
  searchFiles: names('search_files'),
  codebaseSearch: names('codebase_search'),
  webFetch: names('web_fetch'),
  webSearch: names('web_search'),
  summarizeTask: names('summarize_task', 'condense'),
  useSkill: names('use_skill'),
  switchMode: names('switch_mode'),
  newTask: names('new_task'),
  finishTask: names('attempt_completion'),
  fetchInstructions: names('fetch_instructions'),
  updateTodoList: names('update_todo_list'),
}

/** What `say: "tool"` and `ask: "tool"` hold, JSON text; undefined when it is none. */
export function shownTool(text: string): ShownCall | undefined {
  const shown = parseOrText(text)
  const tool = stringAt(shown, 'tool')
  if (!isObject(shown) || tool === undefined) return undefined
  const { tool: _tool, ...args } = shown
  return shownCall(own(TOOLS, tool) ?? [tool], args as Json)
}

/** Calls that the screen shows by a kind of message of their own. */
export const SHOWN: { readonly [kind: string]: (text: string) => ShownCall | undefined } = {
  tool: shownTool,
  command: (text) => shownCall(['execute_command'], { command: text }),
  use_mcp_server: (text) => shownCall(['use_mcp_tool', 'access_mcp_resource'], parseOrText(text)),
  browser_action_launch: (text) => shownCall(['browser_action'], { action: 'launch', url: text }),
  browser_action: (text) => shownCall(['browser_action'], parseOrText(text)),
  followup: (text) => shownCall(['ask_followup_question'], questionOf(text)),
}

/** Newer versions store the question with its options. */
function questionOf(text: string): Json {
  const question = parseOrText(text)
  return isObject(question) ? question : { question: text }
}

function shownCall(all: readonly string[], args: Json): ShownCall {
  return { call: { type: 'tool-call', id: '', name: all[0] ?? '', args }, names: new Set(all) }
}
