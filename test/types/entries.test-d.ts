import type * as checking from '../../src/check/index.ts'
import type * as files from '../../src/files/index.ts'
import type * as api from '../../src/index.ts'
import type * as mocking from '../../src/mock/index.ts'
import { type Has, holds, type Same, type Takes } from './shape.ts'

/** The shapes of the further entry points, and of what reads answers. Compiled, never run. */

type Maybe<T> = T | undefined

// Answers
holds<Takes<typeof api.fromAnthropic, [object], api.AssistantMessage>>()
holds<Takes<typeof api.fromOpenAIChat, [object], api.AssistantMessage>>()
holds<Takes<typeof api.fromOpenAIResponses, [object], api.AssistantMessage>>()
type Collector = ReturnType<typeof api.collector>
holds<Takes<typeof api.collector, ['anthropic'], object>>()
holds<Takes<Collector['push'], [object], void>>()
holds<Takes<Collector['message'], [], api.AssistantMessage>>()

// 'provider-history/check'
holds<
  Has<
    checking.CheckOptions,
    {
      readonly level?: Maybe<'live' | 'strict'>
      readonly platform?: Maybe<string>
      readonly dialect?: Maybe<string>
      readonly without?: Maybe<readonly string[]>
    }
  >
>()
holds<
  Has<
    checking.Violation,
    {
      readonly rule: string
      readonly status: number
      readonly type: string
      readonly code: string | null
      readonly param: string | null
      readonly message: string
      readonly path: string
    }
  >
>()
holds<Takes<typeof checking.check, [api.ApiId, unknown, checking.CheckOptions], readonly checking.Violation[]>>()
type Explained = NonNullable<ReturnType<typeof checking.explain>>
holds<Takes<typeof checking.explain, [unknown], Explained | undefined>>()
holds<Has<Explained['rules'][number], { readonly id: string; readonly meaning: string; readonly repair: string }>>()
holds<Same<Explained['api'], api.ApiId | undefined>>()
holds<Same<Explained['path'], string | undefined>>()

// 'provider-history/mock'
type MockOptions = {
  readonly level?: 'live' | 'strict'
  readonly baseUrls?: { readonly anthropic?: string }
  readonly onViolation?: 'respond' | 'throw'
}
holds<Takes<typeof mocking.mockProviders, [MockOptions], mocking.MockProviders>>()
holds<Same<Pick<mocking.MockProviders, 'handlers'>['handlers'][number] extends object ? true : false, true>>()
export const replies = (mocks: mocking.MockProviders): void =>
  mocks.reply('Hello.', { drop: true }, { status: 529, body: {} }, (request) => ({ text: request.url }))
holds<Takes<mocking.MockProviders['expectAccepted'], [], void>>()
holds<Takes<mocking.MockProviders['reset'], [], void>>()
holds<
  Has<
    mocking.MockRequest,
    {
      readonly api: api.ApiId
      readonly url: string
      readonly body: api.Json
      readonly streamed: boolean
      readonly violations: readonly checking.Violation[]
    }
  >
>()

// 'provider-history/node'
holds<
  Takes<typeof files.readSessionFile, [string, api.ReadOptions & { readonly id?: string }], Promise<api.ReadResult>>
>()
holds<
  Takes<
    typeof files.readSessionDir,
    [string, api.ReadOptions],
    Promise<{ readonly sessions: readonly api.ReadResult[]; readonly changes: readonly api.Change[] }>
  >
>()
