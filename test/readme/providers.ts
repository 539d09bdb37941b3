import { setupServer } from 'msw/node'
import { mockProviders } from '../../src/mock/index.ts'

// Loaded before the blocks of README.md that call an API.
setupServer(...mockProviders().handlers).listen({ onUnhandledRequest: 'error' })
