import { args } from './args.ts'
import { blankText } from './blank-text.ts'
import { fields } from './fields.ts'
import { ids } from './ids.ts'
import { itemIds } from './item-ids.ts'
import { media } from './media.ts'
import { misfits } from './misfits.ts'
import { type NameBook, names } from './names.ts'
import { natives } from './natives.ts'
import { reasoning, reasoningAsText } from './reasoning.ts'
import type { Step } from './step.ts'
import { strings } from './strings.ts'
import { textBehindCalls } from './text-behind-calls.ts'

/** The repair steps, in the order in which they run over each message. */
export function steps(book: NameBook): readonly Step[] {
  return [
    // First, so that all others may trust the types.
    misfits,
    // So that ids, names and texts are compared as they will be written.
    strings,
    // What will not be written need not be looked at.
    fields,
    // What other APIs know becomes text, which the later steps then look at like any other.
    natives,
    reasoningAsText,
    // Notes for media are texts too.
    media,
    args,
    names(book),
    ids,
    // Behind all that makes or empties texts.
    blankText,
    // Order among what is left.
    textBehindCalls,
    // Reasoning holds only if nothing around it was changed.
    reasoning,
    // Item ids hold only with their reasoning.
    itemIds,
  ]
}

/** The steps that look at each message by itself: for the coming turn, the system prompt, and late outcomes of calls. */
export const outcomeSteps: readonly Step[] = [misfits, strings, fields, natives, media, blankText]
