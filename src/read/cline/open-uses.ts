import { stringAt } from '../../model/json.ts'
import type { OpenCall } from '../assemble.ts'
import { resultText } from './result-text.ts'

export interface TakenResult {
  readonly id: string
  readonly name: string
  /** Undefined when the call was not run at all. */
  readonly told: string | undefined
  readonly blocks: readonly unknown[]
}

/**
 * The calls of one answer, for stores that tell their results as text: a text is the result of the first call of its name
 * that has none. Other texts stand in between, and stay what they are.
 */
export class OpenUses {
  readonly #byName = new Map<string, { readonly ids: string[]; next: number }>()
  readonly #answered = new Set<string>()

  add({ name, id }: Pick<OpenCall, 'name' | 'id'>): void {
    const known = this.#byName.get(name)
    if (known === undefined) this.#byName.set(name, { ids: [id], next: 0 })
    else known.ids.push(id)
  }

  /** A result block names its call. */
  answered(id: string): void {
    if (id !== '') this.#answered.add(id)
  }

  /** The blocks that are no results. */
  takeResults(blocks: readonly unknown[], take: (result: TakenResult) => void): readonly unknown[] {
    if (this.#byName.size === 0) return blocks
    const rest: unknown[] = []
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]
      const read = resultText(textOf(block) ?? '')
      const id = read === undefined ? undefined : this.#take(read.name)
      if (read === undefined || id === undefined) {
        rest.push(block)
        continue
      }
      const further = read.told === '' ? behind(blocks, index) : []
      const said = textOf(further[0])
      take({ ...read, id, told: said ?? read.told, blocks: [block, ...further] })
      index += further.length
    }
    return rest
  }

  #take(name: string): string | undefined {
    const known = this.#byName.get(name)
    while (known !== undefined && known.next < known.ids.length) {
      const id = known.ids[known.next++]!
      if (!this.#answered.has(id)) return id
    }
    return undefined
  }
}

/** Under a heading that stands alone, the output is in the next blocks: one text, and images. */
function behind(blocks: readonly unknown[], heading: number): readonly unknown[] {
  let end = heading + 1
  const text = textOf(blocks[end])
  if (text !== undefined && resultText(text) === undefined && !text.startsWith('<environment_details>')) end++
  while (stringAt(blocks[end], 'type') === 'image') end++
  return blocks.slice(heading + 1, end)
}

function textOf(block: unknown): string | undefined {
  if (typeof block === 'string') return block
  return stringAt(block, 'type') === 'text' ? stringAt(block, 'text') : undefined
}
