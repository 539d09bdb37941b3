import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { testFolder } from '../../folders.ts'
import { age, at, type Fields, type Loaded, textAt } from './kit.ts'

export type Layout = 'global' | 'project'

/** The folders of each generation of storage trees, below their root. */
const FOLDERS: { readonly [layout in Layout]: { session: string; message: string; part(session: string): string } } = {
  global: { session: 'session/prj', message: 'message', part: () => 'part' },
  project: { session: 'session/info', message: 'session/message', part: (session) => `session/part/${session}` },
}

/** Parts of messages by their ids, which sort as they were made. */
export type Messages = { readonly [message: string]: readonly object[] }

export const textPart = (text: string): object => ({ type: 'text', text })
export const tool = (callID: string, state: object): object => ({ type: 'tool', tool: 'bash', callID, state })
export const done = (id: string): object => tool(id, { status: 'completed', input: {}, output: id, time: { start: 1 } })
export const running = (id: string, metadata?: object): object =>
  tool(id, { status: 'running', input: { command: id }, time: { start: 7 }, ...(metadata && { metadata }) })
export const pending = (id: string): object => tool(id, { status: 'pending', input: {}, raw: '' })

/** A killed session: calls of two answers have no outcome. */
export const KILLED: Messages = {
  msg_a: [textPart('go')],
  msg_b: [done('call_1'), running('call_2', { output: 'half' })],
  msg_c: [textPart('and'), running('call_3'), pending('call_4')],
}

export interface StoredTree {
  /** Absolute, of the session's own file. */
  readonly session: string
  readonly root: string
  message(id: string): string
  /** The part of a number in a message, from 1 on. */
  part(message: string, number: number): string
}

/** Puts a session into a storage tree, as opencode writes it; nobody has touched it for an hour. */
export function storedTree(
  messages: Messages,
  { layout = 'global', id = 'ses_k', root = join(testFolder(), 'storage'), updated = 10 }: TreeOptions = {},
): StoredTree {
  const folders = FOLDERS[layout]
  const put = (path: string, value: object): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(value, null, 2))
    age(path)
  }
  const session = join(root, folders.session, `${id}.json`)
  put(session, { id, projectID: 'prj', directory: '/w', title: 'T', version: '1.1.53', time: { created: 1, updated } })
  const tree: StoredTree = {
    session,
    root,
    message: (name) => join(root, folders.message, id, `${name}.json`),
    part: (name, number) => join(root, folders.part(id), name, `prt_${name}_${String(number).padStart(6, '0')}.json`),
  }
  for (const [index, [name, parts]] of Object.entries(messages).entries()) {
    const asked = index === 0 ? { role: 'user' } : { role: 'assistant', modelID: 'm', providerID: 'p' }
    put(tree.message(name), { id: name, sessionID: id, ...asked, time: { created: index + 1 } })
    for (const [place, part] of parts.entries()) {
      const path = tree.part(name, place + 1)
      put(path, { id: basename(path, '.json'), sessionID: id, messageID: name, ...part })
    }
  }
  return tree
}

export interface TreeOptions {
  readonly layout?: Layout
  readonly id?: string
  readonly root?: string
  readonly updated?: number
}

/**
 * As opencode loads a session: every file in its folder of messages, and in that of the parts of each, but hidden ones. What is no
 * JSON fails the whole session.
 */
export function loadTree(root: string, session: string, layout: Layout = 'global'): Loaded {
  const folders = FOLDERS[layout]
  const seen = (folder: string): Fields[] =>
    !existsSync(folder)
      ? []
      : readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => !basename(name).startsWith('.') && statSync(join(folder, name)).isFile())
          .sort()
          .map((name) => JSON.parse(readFileSync(join(folder, `${name.slice(0, -5)}.json`), 'utf8')) as Fields)
  const messages = seen(join(root, folders.message, session))
  const parts = messages.flatMap((message) => [
    ...((message.parts as Fields[] | undefined) ?? []),
    ...seen(join(root, folders.part(session), textAt(message, 'id'))),
  ])
  const tools = parts.filter(({ type }) => type === 'tool')
  const isOver = (part: Fields): boolean => ['completed', 'error'].includes(String(at(part, 'state', 'status')))
  return {
    calls: tools.map((part) => textAt(part, 'callID')),
    results: tools.filter(isOver).map((part) => textAt(part, 'callID')),
  }
}

/** Every file below a folder with its text, hidden ones and backups included. */
export function filesIn(folder: string): { readonly [path: string]: string } {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/** Everything below a folder looks as if nobody had touched it for an hour. */
export function ageAll(folder: string): void {
  for (const name of Object.keys(filesIn(folder))) age(join(folder, name))
}
