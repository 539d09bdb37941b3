import { own } from '../../model/own.ts'
import type { FormatId } from '../../model/session.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { dirge } from './dirge.ts'
import { RepairError } from './error.ts'
import { opencode } from './opencode.ts'
import { oino, pi } from './pi.ts'
import type { Planner } from './plan.ts'
import { zut } from './zut.ts'

/** Whose files are repaired, and how. */
const TOOLS: { readonly [format in FormatId]?: Planner } = {
  'claude-code': claudeCode,
  codex,
  pi,
  oino,
  zut,
  dirge,
  opencode,
  cline,
}

/** @throws {RepairError} when files of this format are not repaired. */
export function plannerOf(format: FormatId): Planner {
  const planner = own(TOOLS, format)
  if (planner !== undefined) return planner
  throw new RepairError(
    'unsupported',
    `files of ${format} are not repaired; of ${Object.keys(TOOLS).join(', ')} they are`,
  )
}
