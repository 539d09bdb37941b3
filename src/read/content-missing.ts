/** What is told of a message whose kind always has a content, and that has none. */
export const CONTENT_MISSING = 'A message is stored without its content.'
