import type { Row } from '../tables.ts'

/** Parts that the program keeps for itself: what of the project was saved, what was tried again, whom the user named. */
const NOTES: ReadonlySet<unknown> = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'retry', 'agent'])

export const isNote = ({ type }: Row): boolean => NOTES.has(type)
