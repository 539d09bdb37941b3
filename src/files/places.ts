import { homedir } from 'node:os'
import { join } from 'node:path'
import type { FormatId } from '../model/session.ts'

/** A folder in which a tool keeps its sessions. */
export interface Place {
  /** What is found there: the tool's own format first, then those of tools that share its form. */
  readonly formats: readonly FormatId[]
  readonly folder: string
  /** Only the folder itself, without those in it. */
  readonly flat: boolean
}

interface Home {
  readonly formats: readonly FormatId[]
  /** As people write it. DATA and CONFIG are what the system has for them. */
  readonly told: readonly string[]
  readonly flat?: boolean
}

/** The folders of extensions of VS Code and of its relatives. */
const EXTENSIONS = [
  ...['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map((editor) => `CONFIG/${editor}/User`),
  ...['~/.vscode-server/data/User', '~/.cursor-server/data/User'],
].map((user) => `${user}/globalStorage`)

const tasksOf = (...extensions: readonly string[]): readonly string[] =>
  extensions.flatMap((name) => EXTENSIONS.map((folder) => `${folder}/${name}/tasks`))

const HOMES: readonly Home[] = [
  { formats: ['claude-code'], told: ['~/.claude/projects'] },
  { formats: ['codex'], told: ['~/.codex/sessions', '~/.codex/archived_sessions'] },
  { formats: ['gemini-cli'], told: ['~/.gemini/tmp'] },
  { formats: ['qwen-code', 'gemini-cli'], told: ['~/.qwen/projects', '~/.qwen/tmp'] },
  { formats: ['pi'], told: ['~/.pi/agent/sessions', '~/.omp/agent/sessions'] },
  // One version wrote beside that folder.
  { formats: ['pi'], told: ['~/.pi/agent'], flat: true },
  { formats: ['opencode'], told: ['~/.local/share/opencode'], flat: true },
  { formats: ['opencode'], told: ['~/.local/share/opencode/storage', '~/.local/share/opencode/project'] },
  { formats: ['goose'], told: ['~/.local/share/goose/sessions'] },
  { formats: ['crush'], told: ['.crush'], flat: true },
  { formats: ['cline', 'roo'], told: [...tasksOf('saoudrizwan.claude-dev'), '~/.cline/data'] },
  { formats: ['roo', 'cline'], told: tasksOf('rooveterinaryinc.roo-cline', 'kilocode.kilo-code') },
  { formats: ['continue'], told: ['~/.continue/sessions'] },
  { formats: ['dirge'], told: ['DATA/dirge/sessions'] },
  { formats: ['zut'], told: ['~/.zut/sessions'] },
]

/** The variable of the environment that takes the place of a folder; the longer ones first. */
const VARIABLES: readonly (readonly [folder: string, variable: string])[] = [
  ['~/.claude', 'CLAUDE_CONFIG_DIR'],
  ['~/.codex', 'CODEX_HOME'],
  ['~/.pi/agent', 'PI_CODING_AGENT_DIR'],
  ['~/.continue', 'CONTINUE_GLOBAL_DIR'],
  ['~/.zut', 'ZUT_HOME'],
  ['DATA/dirge', 'DIRGE_DATA_DIR'],
  ['~/.local/share', 'XDG_DATA_HOME'],
  ['~/.config', 'XDG_CONFIG_HOME'],
  ['~/AppData/Roaming', 'APPDATA'],
]

interface Folders {
  readonly CONFIG: string
  readonly DATA: string
}

const LINUX: Folders = { CONFIG: '~/.config', DATA: '~/.local/share' }
const FOLDERS: ReadonlyMap<string, Folders> = new Map([
  ['darwin', { CONFIG: '~/Library/Application Support', DATA: '~/Library/Application Support' }],
  ['win32', { CONFIG: '~/AppData/Roaming', DATA: '~/AppData/Roaming' }],
])

export interface System {
  readonly environment: { readonly [name: string]: string | undefined }
  readonly home: string
  readonly platform: string
}

function here(): System {
  const { env, platform } = process
  return { environment: env, home: (platform === 'win32' ? undefined : env.HOME) || homedir(), platform }
}

/** Where the tools keep their sessions. */
export function defaultPlaces(system: System = here()): readonly Place[] {
  return HOMES.flatMap(({ formats, told, flat = false }) =>
    told.map((path) => ({ formats, folder: folderOf(path, system), flat })),
  )
}

/** Where the sessions of a format lie, as people write it; undefined where no tool has a place of its own for them. */
export function placeTold(format: FormatId, platform: string = process.platform): string | undefined {
  const told = HOMES.find(({ formats }) => formats[0] === format)?.told[0]
  if (told === undefined) return undefined
  const variable = VARIABLES.find(([folder]) => isWithin(told, folder))?.[1]
  const path = onSystem(told, platform)
  return variable === undefined || variable === 'APPDATA' ? path : `${path}, or by $${variable}`
}

function folderOf(told: string, { environment, home, platform }: System): string {
  const path = onSystem(told, platform)
  for (const [folder, variable] of VARIABLES) {
    const instead = environment[variable]
    const found = onSystem(folder, platform)
    if (instead && isWithin(path, found)) return join(instead, path.slice(found.length))
  }
  return path.startsWith('~/') ? join(home, path.slice(2)) : path
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function onSystem(path: string, platform: string): string {
  const { CONFIG, DATA } = FOLDERS.get(platform) ?? LINUX
  if (isWithin(path, 'CONFIG')) return CONFIG + path.slice('CONFIG'.length)
  return isWithin(path, 'DATA') ? DATA + path.slice('DATA'.length) : path
}
