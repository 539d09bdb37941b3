import type { Rule, Run } from './run.ts'
import { isThinking, THINKING_DOCS } from './thinking-config.ts'

const ID = 'anthropic/temperature-range'

/** What counts as the default, and so may stand in a request to models without sampling parameters. */
const DEFAULTS: { readonly [name: string]: (value: unknown) => boolean } = {
  temperature: (value) => value === 1,
  top_p: (value) => typeof value === 'number' && value >= 0.99,
  top_k: () => false,
}

/** Models from 4.7 on take no sampling parameters. */
const deprecated: Rule = {
  ids: [ID],
  check: (run) => {
    if (run.model.sampling) return
    for (const [name, isDefault] of Object.entries(DEFAULTS)) {
      const value = run.body[name]
      if (value === undefined || isDefault(value)) continue
      run.report(ID, `\`${name}\` is deprecated for this model.`, name)
    }
  },
}

/** Thinking fixes the temperature, and bounds `top_p`. */
const whileThinking: Rule = {
  ids: [ID],
  check: (run) => {
    if (!run.model.sampling || !isThinking(run)) return
    checkTemperature(run)
    const topP = run.body.top_p
    if (typeof topP !== 'number' || topP >= 0.95) return
    const message =
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled or in adaptive mode.'
    run.report(ID, message, 'top_p')
  },
}

function checkTemperature(run: Run): void {
  const temperature = run.body.temperature
  if (typeof temperature !== 'number' || temperature === 1) return
  const message = `\`temperature\` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult our documentation at ${THINKING_DOCS}#important-considerations-when-using-extended-thinking`
  run.report(ID, message, 'temperature')
}

export const SAMPLING_GATES: readonly Rule[] = [deprecated, whileThinking]
