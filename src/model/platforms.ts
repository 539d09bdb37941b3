/** Where an API is spoken by its own vendor, the vendor's own platform first. Servers of others are dialects. */
export const PLATFORMS: {
  readonly anthropic: readonly ['anthropic', 'bedrock', 'vertex']
  readonly 'openai-chat': readonly ['openai', 'azure']
  readonly 'openai-responses': readonly ['openai', 'azure']
} = {
  anthropic: ['anthropic', 'bedrock', 'vertex'],
  'openai-chat': ['openai', 'azure'],
  'openai-responses': ['openai', 'azure'],
}
