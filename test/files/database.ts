import { copyFileSync } from 'node:fs'
import sqlite from 'node-sqlite3-wasm'

type Value = string | number | null

/** Writes a database: SQL that makes its tables, and rows for them. */
export function makeDatabase(
  path: string,
  schema: string,
  rows: { readonly [table: string]: readonly (readonly Value[])[] },
): void {
  const database = new sqlite.Database(path)
  database.exec(schema)
  fill(database, rows)
  database.close()
}

/** As a tool leaves it that is killed: the last rows stand beside the database, in its write-ahead log. */
export function makeUnfinished(
  path: string,
  schema: string,
  stored: { readonly [table: string]: readonly (readonly Value[])[] },
  logged: { readonly [table: string]: readonly (readonly Value[])[] },
): void {
  const work = `${path}.work`
  const database = new sqlite.Database(work)
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  database.exec(schema)
  fill(database, stored)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  fill(database, logged)
  copyFileSync(work, path)
  copyFileSync(`${work}-wal`, `${path}-wal`)
  database.close()
}

function fill(
  database: InstanceType<typeof sqlite.Database>,
  rows: { readonly [table: string]: readonly (readonly Value[])[] },
): void {
  database.exec('BEGIN')
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) database.run(`INSERT INTO "${table}" VALUES (${row.map(() => '?').join(', ')})`, [...row])
  }
  database.exec('COMMIT')
}

export const OPENCODE = `
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, slug text NOT NULL, directory text NOT NULL,
  title text NOT NULL, version text NOT NULL, revert text, agent text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);`

export const sessionRow = (id: string, updated: number, parent: string | null = null): Value[] => [
  ...[id, 'p', parent, 'slug', '/work', `Title of ${id}`, '1.18.33', null, 'build'],
  ...[1, updated],
]

export const messageRow = (id: string, session: string, created: number, role: string, more: object = {}): Value[] => [
  ...[id, session, created, created],
  JSON.stringify({ role, time: { created }, ...more }),
]

export const partRow = (id: string, message: string, session: string, data: object): Value[] => [
  ...[id, message, session, 1, 1],
  JSON.stringify(data),
]

/** A session of a question and an answer with one call. */
export function conversation(session: string, updated: number, parent: string | null = null) {
  const [ask, answer] = [`msg_${session}_a`, `msg_${session}_b`]
  return {
    session: [sessionRow(session, updated, parent)],
    message: [
      messageRow(ask, session, 1, 'user'),
      messageRow(answer, session, 2, 'assistant', { modelID: 'm', providerID: 'p' }),
    ],
    part: [
      partRow(`prt_${session}_1`, ask, session, { type: 'text', text: `question of ${session}` }),
      partRow(`prt_${session}_2`, answer, session, {
        type: 'tool',
        tool: 'task',
        callID: `call_${session}`,
        state: {
          status: 'completed',
          input: {},
          output: `answer of ${session}`,
          metadata: { sessionId: `${session}_child` },
        },
      }),
    ],
  }
}

export type Conversation = ReturnType<typeof conversation>

export const together = (...all: readonly Conversation[]): Conversation => ({
  session: all.flatMap(({ session }) => session),
  message: all.flatMap(({ message }) => message),
  part: all.flatMap(({ part }) => part),
})
