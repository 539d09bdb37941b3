import { preview } from '../model/json.ts'
import { nearestId } from '../model/misspelt.ts'
import { type OptionRule, type OptionRules, oneOf, TEXT, TEXTS } from '../model/options.ts'
import { PLATFORMS } from '../model/platforms.ts'

/** What a check of one API takes; `ids` are the rules that its violations can name. */
export function checkRules(api: keyof typeof PLATFORMS, ids: readonly string[]): OptionRules {
  return {
    level: oneOf('live', 'strict'),
    platform: oneOf(...PLATFORMS[api]),
    dialect: TEXT,
    betas: TEXTS,
    without: rulesLeftOut(ids, isOfAnother(api)),
  }
}

/** A rule id that is none would leave nothing out, and nobody would see it. */
export function rulesLeftOut(ids: readonly string[], elsewhere: (id: string) => boolean = () => false): OptionRule {
  const known = new Set(ids)
  const isKnown = (id: string): boolean => known.has(id) || elsewhere(id)
  return {
    wanted: 'a list of rule ids',
    fits: (value) => TEXTS.fits(value) && (value as readonly string[]).every(isKnown),
    why(value) {
      const unknown = TEXTS.fits(value) ? (value as readonly string[]).find((id) => !isKnown(id)) : undefined
      return unknown === undefined ? undefined : noRule(unknown, ids)
    },
  }
}

/** One list may serve the checks of all APIs; those of another are for its own check to know. */
function isOfAnother(api: string): (id: string) => boolean {
  const others = Object.keys(PLATFORMS).filter((other) => other !== api)
  return (id) => others.some((other) => id.startsWith(`${other}/`))
}

function noRule(id: string, ids: readonly string[]): string {
  const meant = nearestId(id, ids)
  const told = id === '' ? 'an empty one' : preview(id)
  return `there is no ${told}; ${meant === undefined ? `ids are such as ${ids[0]}` : `${meant} may be meant`}`
}
