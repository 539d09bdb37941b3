export type { Level, Violation } from '../check/rule.ts'
export { type MockOptions, type MockProviders, mockProviders, type ReadyProviders } from './providers.ts'
export type { MockRequest, Reply, ReplyCall, ReplyDrop, ReplyMaker, ReplyStatus, ReplyTurn } from './reply.ts'
