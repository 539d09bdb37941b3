/**
 * The contract of an agent with its API: whatever happens to the agent, it sends nothing that the API refuses. The mocks
 * refuse what the real API refuses, in its words, so that a broken history fails here and not in front of a user.
 */
import Anthropic from '@anthropic-ai/sdk'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
// In a program of yours: from 'provider-history/mock'.
import { mockProviders } from '../../src/mock/index.ts'
import { openAgent, type Tool } from './agent.ts'

const providers = mockProviders()
const server = setupServer(...providers.handlers)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => {
  server.resetHandlers()
  providers.reset()
})
afterAll(() => server.close())

/** Made anew for each test, so that it takes the `fetch` that the server listens to. */
const client = (): Anthropic => new Anthropic({ apiKey: 'test', maxRetries: 2 })

const read: Tool = {
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  run: async () => 'Buy milk.',
}
const callOf = (path: string) => ({ name: 'read', args: { path } })

/** The last request as text: what the model was told. */
const told = (): string => JSON.stringify(providers.requests.at(-1)?.body)

test('several calls in one turn are all answered', async () => {
  providers.reply({ text: 'I look.', toolCalls: [callOf('a.txt'), callOf('b.txt')] }, 'Milk is to be bought.')
  expect(await openAgent(client(), [read])('What is to be done?')).toBe('Milk is to be bought.')
  providers.expectAccepted()
  expect(told().match(/Buy milk\./g)).toHaveLength(2)
})

test('a tool that throws, and one that is not there, are told as failures', async () => {
  const broken: Tool = { ...read, run: () => Promise.reject(new Error('no such file')) }
  providers.reply({ toolCalls: [callOf('a.txt'), { name: 'delete', args: {} }] }, 'I cannot read it.')
  await openAgent(client(), [broken])('What is to be done?')
  providers.expectAccepted()
  expect(told()).toContain('no such file')
  expect(told()).toContain('There is no tool delete.')
})

test('who is stopped while a tool runs can be asked again', async () => {
  const stop = new AbortController()
  const slow: Tool = {
    ...read,
    run: () => {
      stop.abort()
      return new Promise(() => {})
    },
  }
  const ask = openAgent(client(), [slow])
  providers.reply({ toolCalls: [callOf('a.txt'), callOf('b.txt')] }, 'I do not know whether it was read.')
  await expect(ask('What is to be done?', stop.signal)).rejects.toThrow()
  await ask('Was it read?')
  providers.expectAccepted()
  expect(told()).toContain('its outcome is unknown')
})

test('an answer that breaks off leaves a history that can be sent', async () => {
  const ask = openAgent(client(), [read])
  providers.reply({ drop: true }, { drop: true }, { drop: true }, 'Here again.')
  await expect(ask('What is to be done?')).rejects.toThrow(Anthropic.APIConnectionError)
  expect(await ask('Are you there?')).toBe('Here again.')
  providers.expectAccepted()
})

test('an overloaded API is asked again with the same history', async () => {
  providers.reply({ status: 529, headers: { 'retry-after-ms': '1' } }, 'Here I am.')
  expect(await openAgent(client(), [read])('What is to be done?')).toBe('Here I am.')
  expect(providers.requests).toHaveLength(2)
  expect(providers.requests[1]?.body).toEqual(providers.requests[0]?.body)
})
