/** Azure's paths in front of an operation: a deployment, or the version that has no deployments. */
const AZURE = '(?<azure>(?:/openai)?/deployments/(?<deployment>[^/]+)|/openai/v1|/openai)?'
const AZURE_BEHIND_OPENAI = '(?<azure>/deployments/(?<deployment>[^/]+)|/v1)?'

/** Where the requests of one operation go. */
export class Route {
  readonly pattern: RegExp

  /** A base that begins with `/` stands on any origin. `azure`: paths of Azure are served too. */
  constructor(base: string, path: string, azure: boolean) {
    const trimmed = withoutTrailingSlashes(base)
    const origin = trimmed.startsWith('/') ? 'https?://[^/]+' : ''
    const prefixes = trimmed.endsWith('/openai') ? AZURE_BEHIND_OPENAI : AZURE
    this.pattern = new RegExp(`^${origin}${escaped(trimmed)}${azure ? prefixes : ''}${escaped(path)}/?$`)
  }

  read(url: string): { readonly azure: boolean; readonly deployment: string | undefined } {
    const groups = this.pattern.exec(url.split(/[?#]/, 1)[0] ?? '')?.groups
    const deployment = groups?.deployment
    return {
      azure: groups?.azure !== undefined || /^https:\/\/[^/]+\.azure\.com\//.test(url),
      deployment: deployment === undefined ? undefined : decoded(deployment),
    }
  }
}

function withoutTrailingSlashes(base: string): string {
  let end = base.length
  while (end > 0 && base[end - 1] === '/') end -= 1
  return base.slice(0, end)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
