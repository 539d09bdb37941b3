/** The steps of a path in either grammar: `messages.3.content`, `messages[3].content`, `messages.[3].role`. */
export function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]/).filter((step) => step !== '')
}

const isIndex = (step: string): boolean => /^\d+$/.test(step)

/** In patterns: `#` an index, `*` any step, `**` at one end any steps, also none. */
export function fits(steps: readonly string[], pattern: string): boolean {
  const wanted = pattern === '' ? [] : pattern.split('.')
  const open = wanted.at(-1) === '**'
  const loose = !open && wanted[0] === '**'
  const fixed = wanted.filter((step) => step !== '**')
  if (open || loose ? steps.length < fixed.length : steps.length !== fixed.length) return false
  const from = loose ? steps.length - fixed.length : 0
  return fixed.every((step, index) => {
    const found = steps[from + index]!
    return step === '*' || (step === '#' ? isIndex(found) : step === found)
  })
}

const LONGEST = 300
const STEP = /[\w.[\]-]/
const ROOTS = ['messages.', 'tools.', 'system.'] as const

/** The path in front of `: ` and the words that begin at `at`, as the dotted validators write it. */
export function placeBefore(text: string, at: number): string | undefined {
  if (!text.startsWith(': ', at - 2)) return undefined
  const head = text.slice(Math.max(0, at - 2 - LONGEST), at - 2)
  let from = head.length
  while (from > 0 && STEP.test(head[from - 1]!)) from--
  const token = from === head.length ? undefined : head.slice(from)
  // A key of the request may hold any character: then the path begins further in front.
  const rooted = Math.max(...ROOTS.map((root) => head.lastIndexOf(root)))
  const whole = rooted < 0 ? undefined : head.slice(rooted)
  if (whole === undefined || /: |'|\n/.test(whole) || (token?.length ?? 0) >= whole.length) return token
  return whole
}

const BARE = new Set(['messages', 'input', 'system', 'tools'])

/**
 * The path of an explanation: what the text names, or a `param`, whichever says where in a list it is. Bedrock writes members
 * of lists from 1 on, as `messages.2.member.content.1.member`.
 */
export function placeOf(told: string | undefined, params: ReadonlySet<string>): string | undefined {
  const candidates = [told, ...params].filter((path) => path !== undefined && isPath(path))
  const exact = candidates.find((path) => path !== undefined && !BARE.has(path))
  return (exact ?? candidates[0])?.replace(/(\d{1,9})\.member\b/g, (_, index: string) => String(Number(index) - 1))
}

/** Words such as `Error` in front of a sentence are no path, and what a terminal would act on is none either. */
function isPath(path: string): boolean {
  return path.length <= LONGEST && /^[a-z_]+(?:[.[]|$)/.test(path) && !/[\s\p{C}]/u.test(path)
}
