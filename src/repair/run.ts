import type { Part } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { outputOf } from './output.ts'
import type { Draft, Repair, Report, Scene, Step, TestedKind } from './step.ts'

/** The steps of one fold, ready to look at message after message. */
export interface Repairs {
  /** One pass over the message with all cheap tests; each message once, in order. */
  suspect(scene: Scene): boolean
  mend(scene: Scene, report: Report): Draft
  commit(parts: readonly Part[]): void
}

type Test = (part: Part, scene: Scene) => boolean

export function startAll(steps: readonly Step[], rules: Rules): Repairs {
  const repairs = steps.map((step) => step.start(rules))
  const begins = repairs.filter((repair) => repair.begin !== undefined)
  const distrusting = repairs.filter((repair) => repair.distrusts !== undefined)
  const commits = repairs.filter((repair) => repair.commit !== undefined)
  const messageTests = repairs.filter((repair) => repair.suspectsMessage !== undefined)
  const tests: { readonly [K in TestedKind]: readonly Test[] } = {
    text: testsOf(repairs, 'text'),
    reasoning: testsOf(repairs, 'reasoning'),
    media: testsOf(repairs, 'media'),
    native: testsOf(repairs, 'native'),
    'tool-call': testsOf(repairs, 'tool-call'),
    'provider-call': testsOf(repairs, 'provider-call'),
    'listed-output': testsOf(repairs, 'listed-output'),
  }
  const listed = tests['listed-output']
  const suspectPart = (part: Part, scene: Scene): boolean => {
    for (const test of tests[kindOf(part)]) if (test(part, scene)) return true
    return listsOutput(part) && listed.some((test) => test(part, scene))
  }
  return {
    suspect(scene) {
      for (const repair of begins) repair.begin!(scene)
      for (const repair of distrusting) if (repair.distrusts!(scene)) return true
      for (const part of scene.parts) if (suspectPart(part, scene)) return true
      for (const repair of messageTests) if (repair.suspectsMessage!(scene.message)) return true
      return false
    },
    mend(scene, report) {
      const { message } = scene
      const draft: Draft = { message, parts: message.parts.slice(), places: message.parts.map((_, place) => place) }
      const now: { -readonly [K in keyof Scene]: Scene[K] } = scene
      for (const repair of repairs) {
        now.parts = draft.parts
        now.places = draft.places
        if (suspects(repair, now)) repair.mend(draft, now, report)
      }
      return draft
    },
    commit(parts) {
      for (const repair of commits) repair.commit!(parts)
    },
  }
}

function kindOf(part: Part): TestedKind {
  return part.type === 'tool-call' && part.executor === 'provider' ? 'provider-call' : part.type
}

function listsOutput(part: Part): boolean {
  return part.type === 'tool-call' && typeof outputOf(part.state) === 'object'
}

function testsOf(repairs: readonly Repair[], kind: TestedKind): readonly Test[] {
  return repairs.flatMap((repair) => (repair.suspects[kind] as Test | undefined) ?? [])
}

/** Once more for each step: what an earlier one changed may be new to it. */
function suspects(repair: Repair, scene: Scene): boolean {
  repair.begin?.(scene)
  if (repair.distrusts !== undefined) return repair.distrusts(scene)
  for (const part of scene.parts) {
    const test = repair.suspects[kindOf(part)] as Test | undefined
    if (test?.(part, scene)) return true
    const listed = repair.suspects['listed-output']
    if (listed !== undefined && listsOutput(part) && (listed as Test)(part, scene)) return true
  }
  return repair.suspectsMessage?.(scene.message) === true
}
