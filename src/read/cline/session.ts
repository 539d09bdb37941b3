import { isObject, stringAt, valueAt } from '../../model/json.ts'
import { isoTime } from '../iso-time.ts'

const MARKS = ['# Current Working Directory (', '# Current Workspace Directory (']

/** What the first prompt says about where it was asked: the tool tells the model the folder it works in. */
export function placeOf(list: readonly unknown[]): { readonly cwd?: string; readonly createdAt?: string } {
  const first = list.find(isObject)
  const createdAt = isoTime(valueAt(first, 'ts'))
  const cwd = folderIn(valueAt(first, 'content'))
  return { ...(cwd === undefined ? {} : { cwd }), ...(createdAt === undefined ? {} : { createdAt }) }
}

function folderIn(content: unknown): string | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  for (const block of blocks) {
    const text = typeof block === 'string' ? block : (stringAt(block, 'text') ?? '')
    const folder = MARKS.map((mark) => between(text, mark)).find((found) => found !== undefined)
    if (folder !== undefined) return folder
  }
  return undefined
}

function between(text: string, mark: string): string | undefined {
  const start = text.indexOf(mark)
  const end = start < 0 ? -1 : text.indexOf(')', start)
  return end < 0 ? undefined : text.slice(start + mark.length, end)
}
