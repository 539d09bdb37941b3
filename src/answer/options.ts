export interface AnswerOptions {
  /** The server that answered, where several speak one API: 'deepseek', 'mistral', 'llamacpp' ... */
  readonly dialect?: string | undefined
}
