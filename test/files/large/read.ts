import { readSessionFile } from '../../../src/files/index.ts'

/** Reads a file in a process of its own, whose memory is limited, and prints what was read. */
const [, , path = ''] = process.argv
const { format, session, changes } = await readSessionFile(path)
const texts = session.messages.map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))
console.log(
  JSON.stringify({
    format,
    messages: texts.length,
    last: texts.at(-1)?.slice(0, 40),
    longest: texts.reduce((most, text) => Math.max(most, text.length), 0),
    changes: changes.map(({ code }) => code),
  }),
)
