import type { Message, Part } from '../model/session.ts'
import type { Rules } from '../rules/rules.ts'
import { outputOf } from './output.ts'
import type { Draft, Repair, Report, Scene, Step, TestedKind } from './step.ts'

/** The steps of one fold, ready to look at message after message. */
export interface Repairs {
  /** One pass over the message with all cheap tests; each message once, in order. */
  suspect(message: Message, joins: boolean, drifted: () => boolean): boolean
  /** Mends the message that was looked at last. */
  mend(report: Report): Draft
  commit(message: Message, joins: boolean): void
}

type Test = (part: Part, scene: Scene) => boolean
type Tests<T> = { readonly [K in TestedKind]: T }

/** A step with its tests, all of one shape. */
interface Running {
  readonly repair: Repair
  readonly tests: Tests<Test | undefined>
}

export function startAll(steps: readonly Step[], rules: Rules): Repairs {
  const repairs = steps.map((step) => step.start(rules))
  const running = repairs.map((repair): Running => ({ repair, tests: tests((kind) => testOf(repair, kind)) }))
  const begins = repairs.filter((repair) => repair.begin !== undefined)
  const distrusting = repairs.filter((repair) => repair.distrusts !== undefined)
  const commits = repairs.filter((repair) => repair.commit !== undefined)
  const messageTests = repairs.filter((repair) => repair.suspectsMessage !== undefined)
  const every = tests((kind) => running.map((one) => one.tests[kind]).filter((test) => test !== undefined))
  // One for all messages: it is asked for each of them.
  const scene: { -readonly [K in keyof Scene]: Scene[K] } = {
    message: { role: 'user', parts: [] },
    parts: [],
    places: undefined,
    joins: false,
    drifted: () => false,
  }
  const suspectPart = (part: Part): boolean => {
    const own = every[kindOf(part)]
    for (let index = 0; index < own.length; index++) if (own[index]!(part, scene)) return true
    if (listsOutput(part) && every['listed-output'].some((test) => test(part, scene))) return true
    return isSlotted(part) && every.slotted.some((test) => test(part, scene))
  }
  return {
    suspect(message, joins, drifted) {
      const { parts } = message
      scene.message = message
      scene.parts = parts
      scene.places = undefined
      scene.joins = joins
      scene.drifted = drifted
      for (let index = 0; index < begins.length; index++) begins[index]!.begin!(scene)
      for (let index = 0; index < distrusting.length; index++) if (distrusting[index]!.distrusts!(scene)) return true
      for (let index = 0; index < parts.length; index++) if (suspectPart(parts[index]!)) return true
      for (let index = 0; index < messageTests.length; index++)
        if (messageTests[index]!.suspectsMessage!(message, parts)) return true
      return false
    },
    mend(report) {
      const { message } = scene
      const draft: Draft = { message, parts: message.parts.slice(), places: message.parts.map((_, place) => place) }
      for (const { repair, tests } of running) {
        scene.parts = draft.parts
        scene.places = draft.places
        if (suspects(repair, tests, scene)) repair.mend(draft, scene, report)
      }
      return draft
    },
    commit(message, joins) {
      for (let index = 0; index < commits.length; index++) commits[index]!.commit!(message, joins)
    },
  }
}

function tests<T>(of: (kind: TestedKind) => T): Tests<T> {
  return {
    text: of('text'),
    reasoning: of('reasoning'),
    media: of('media'),
    native: of('native'),
    'tool-call': of('tool-call'),
    'provider-call': of('provider-call'),
    'listed-output': of('listed-output'),
    slotted: of('slotted'),
  }
}

function testOf(repair: Repair, kind: TestedKind): Test | undefined {
  return repair.suspects[kind] as Test | undefined
}

function kindOf(part: Part): TestedKind {
  return part.type === 'tool-call' && part.executor === 'provider' ? 'provider-call' : part.type
}

function listsOutput(part: Part): boolean {
  return part.type === 'tool-call' && typeof outputOf(part.state) === 'object'
}

function isSlotted(part: Part): boolean {
  return part.extra !== undefined || (part.type === 'tool-call' && part.state.extra !== undefined)
}

/** Once more for each step: what an earlier one changed may be new to it. */
function suspects(repair: Repair, tests: Tests<Test | undefined>, scene: Scene): boolean {
  repair.begin?.(scene)
  if (repair.distrusts !== undefined) return repair.distrusts(scene)
  const { slotted, 'listed-output': listed } = tests
  for (const part of scene.parts) {
    if (tests[kindOf(part)]?.(part, scene) === true) return true
    if (listed !== undefined && listsOutput(part) && listed(part, scene)) return true
    if (slotted !== undefined && isSlotted(part) && slotted(part, scene)) return true
  }
  return repair.suspectsMessage?.(scene.message, scene.parts) === true
}
