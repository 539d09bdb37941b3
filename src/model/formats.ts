/** The names of the model as values; the schema proves that none is missing. */
export const API_IDS = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'gemini',
  'bedrock',
  'mistral',
  'ollama',
] as const

/** Every format, with what is stored in it. Which of them can be read is for the readers to say. A new one has its line here. */
export const FORMATS = {
  entries: "this library's own form, whole or as people store it by hand",
  journal: "this library's journal of a running agent",
  dirge: 'sessions of dirge',
  zut: 'sessions of zut',
  oino: 'sessions of oino',
  pi: 'sessions of pi',
  opencode: 'exports, storage and databases of opencode',
  'claude-code': 'transcripts of Claude Code',
  codex: 'rollouts of Codex CLI',
  'gemini-cli': 'chats of Gemini CLI',
  'qwen-code': 'chats of Qwen Code',
  cline: 'conversations of Cline',
  roo: 'conversations of Roo Code and Kilo Code',
  continue: 'sessions of Continue',
  goose: 'sessions of goose',
  crush: 'databases of Crush',
  'ai-sdk': 'messages of the Vercel AI SDK',
  langchain: 'messages of LangChain and LangGraph',
  letta: 'messages of Letta',
  anthropic: 'bodies, message arrays and answers of the Anthropic Messages API',
  'openai-chat': 'bodies, message arrays and answers of OpenAI Chat Completions and of the servers that speak it',
  'openai-responses': 'bodies, message arrays and answers of OpenAI Responses',
  gemini: 'bodies, message arrays and answers of the Gemini API',
  bedrock: 'bodies, message arrays and answers of Bedrock Converse',
  mistral: 'bodies, message arrays and answers of the Mistral API',
  ollama: 'bodies, message arrays and answers of the Ollama API',
} as const

export const FORMAT_IDS: readonly (keyof typeof FORMATS)[] = Object.keys(FORMATS) as (keyof typeof FORMATS)[]
