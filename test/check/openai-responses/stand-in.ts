import type { Recording } from '../openai/shared.ts'

/** A local server stood in for OpenAI in recordings of this model. */
const STAND_IN = 'llama-cpp-reasoning-model'

/** The server that answered. */
export const serverOf = ({ server, request }: Recording): string => (request.model === STAND_IN ? 'llamacpp' : server)
