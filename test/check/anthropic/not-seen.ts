/** Rules of the book that refuse in known words, and why no request shows that they are broken. */
export const NOT_SEEN: { readonly [rule: string]: string } = {
  'anthropic/prompt-too-long': 'tokens are counted by the API',
  'anthropic/beta-header-unknown': 'a header, and the list of known betas is not published',
  'anthropic/thinking-bound-to-conversation': 'needs what the model saw',
  'anthropic/thinking-latest-modified': 'needs the original answer',
  'anthropic/thinking-adjacent': 'needs the original answer',
  'anthropic/server-tool-resume-without-tool': 'only the end of the words is published',
  'anthropic/image-oversized-error-opt': 'the size limits of the models are not published with it',
  'anthropic/file-source': 'files are kept by the API',
  'anthropic/pdf-pages': 'pages stand in compressed parts of the file',
  'anthropic/converse-alternation': 'a body of Converse has another shape',
  'anthropic/converse-blank-text': 'a body of Converse has another shape',
  'anthropic/converse-empty-content': 'a body of Converse has another shape',
  'anthropic/converse-toolconfig': 'a body of Converse has another shape',
  'anthropic/converse-tool-results': 'a body of Converse has another shape',
  'anthropic/converse-tool-id': 'a body of Converse has another shape',
  'anthropic/converse-input-too-long': 'tokens are counted by the API',
}

/** Of rules whose words were never published nothing can be said in the words of the API. */
export const UNPUBLISHED = 'its words are not published'
