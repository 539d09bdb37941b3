import { fitParts, fitsPart } from '../model/fits.ts'
import { canonicalPart } from '../read/entries/canonical.ts'
import { replaceParts, type Step } from './step.ts'

/** Parts that are none of the model's: of an unknown type, of another role, or with a field of the wrong type. */
export const misfits: Step = {
  defect: 'parts that do not fit the model',
  start() {
    return {
      distrusts: ({ parts, message }) => !fitParts(parts, message.role),
      suspects: {},
      mend(draft, { message }, report) {
        replaceParts(draft, (part, place) => {
          if (fitsPart(part, message.role)) return part
          return canonicalPart(part, message.role, (code, detail) => report.add(code, place, undefined, detail))
        })
      },
    }
  },
}
