import { createHash } from 'node:crypto'
import { JournalError } from '../error.ts'

/** The statements over one table. */
export interface Statements {
  readonly exists: string
  readonly create: string
  readonly acquire: string
  readonly holder: string
  readonly regain: string
  readonly renew: string
  /** Makes all rows durable up to the last one, and tells followers that they are. */
  readonly flush: string
  readonly release: string
  readonly append: string
  /** Of the prepared statement. */
  readonly appendName: string
  readonly last: string
  readonly read: string
  /** As `read`, of the rows that are durable for certain. */
  readonly follow: string
}

export const TABLE = 'provider_history_journal'

const NAME = /^[a-z_][a-z0-9_]{0,62}(?:\.[a-z_][a-z0-9_]{0,62})?$/

/**
 * The statement that makes the table, for those who let no agent make one. The records of a session are its rows from 1,
 * in their order; row 0 is its lease. `token` is the fencing token: each owner has a higher one than the owner before it,
 * and writes only while row 0 holds it. `until` is when the lease ends; of a record that was committed without waiting for the
 * disk it is -infinity: that, and those of the same kind behind the last other one, may be gone after a crash of the server.
 * Records are text, since `jsonb` refuses `\u0000` and changes what it stores.
 * @throws {JournalError} when the name of the table is not plain: `table` or `schema.table`, of small letters.
 */
export function journalTable(table: string = TABLE): string {
  // Sessions are told apart byte by byte, whatever the locale of the database, and whatever becomes of it.
  return `create table if not exists ${quoted(table)} (
  session text collate "C" not null,
  seq bigint not null,
  token bigint not null,
  record text not null,
  until timestamptz,
  primary key (session, seq)
)`
}

/** @throws {JournalError} when the name of the table is not plain. */
export function statements(name: string = TABLE): Statements {
  const table = quoted(name)
  const mine = 'session = $1 and seq = 0 and token = $2 and record = $3'
  const later = (ms: string): string => `now() + ${ms}::float8 * interval '1 millisecond'`
  return {
    exists: `select to_regclass('${table}') is not null as exists`,
    create: journalTable(name),
    // The clock of the database alone decides: those of its clients may stand anywhere.
    acquire: `insert into ${table} as held (session, seq, token, record, until)
      values ($1, 0, 1, $2, ${later('$3')})
      on conflict (session, seq) do update
        set token = held.token + 1, record = excluded.record, until = excluded.until
        where held.until is null or held.until < now() or held.record = $4
      returning token`,
    holder: `select record from ${table} where session = $1 and seq = 0`,
    // Waits for what was said over a connection that broke, if the server is at it, and fences it off if it is still to come.
    regain: `update ${table} set token = token + 1, until = ${later('$3')}
      where session = $1 and seq = 0 and record = $2 returning token`,
    renew: `update ${table} set until = ${later('$4')} where ${mine} returning token`,
    flush: `with lease as (
        update ${table} set until = ${later('$4')} where ${mine} returning token
      ), last as (
        update ${table} row set until = null from lease where row.session = $1 and row.seq = $5::bigint and row.seq > 0
      )
      select token from lease`,
    release: `update ${table} set until = null where session = $1 and seq = 0 and record = $2`,
    // The lock on row 0 holds until the records are committed, so that no other owner can take over in between; one that
    // has taken over is waited for, and its token seen. The row is written now and then only: each time leaves a dead one.
    append: `with lease as (
        select token, until from ${table} where ${mine} for no key update
      ), kept as (
        update ${table} held set until = ${later('$4')} from lease
        where held.session = $1 and held.seq = 0 and lease.until < now() + $4::float8 * 2 / 3 * interval '1 millisecond'
      ), added as (
        insert into ${table} (session, seq, token, record, until)
        select $1, $5::bigint + line.place, lease.token, line.record,
          case when not $7::boolean then '-infinity'::timestamptz end
        from lease, unnest(string_to_array($6, E'\\n')) with ordinality as line (record, place)
        returning seq
      )
      select (select count(*) from added) as added,
        case when not $7::boolean then set_config('synchronous_commit', 'off', true) end as quick`,
    appendName: named('append', table),
    last: `select coalesce(max(seq), 0) as seq from ${table} where session = $1`,
    read: pageOf(table, ''),
    follow: pageOf(
      table,
      `and seq <= (select coalesce(max(seq), 0) from ${table} where session = $1 and until is null)`,
    ),
  }
}

/** As many rows as fit into $4 bytes, and one at least. Those over $3 bytes are told, not handed out. */
const pageOf = (table: string, bound: string): string => `select seq, length,
    case when length <= $3::float8 then record end as record
  from (
    select seq, record, octet_length(record) as length,
      sum(octet_length(record)) over (order by seq) - octet_length(record) as before
    from ${table} where session = $1 and seq > $2::bigint ${bound} order by seq limit 1000
  ) page
  where before < $4::float8 order by seq`

function quoted(table: string): string {
  if (typeof table !== 'string' || !NAME.test(table)) {
    throw new JournalError('invalid', `${JSON.stringify(table)} cannot be the name of a table`)
  }
  return table
    .split('.')
    .map((name) => `"${name}"`)
    .join('.')
}

/**
 * Said over each connection of an owner. An acknowledged record is durable, whatever the server's default is; and a stale owner
 * shall see the token that it waited for, not an error of serialization.
 */
export const GREETING: string = `select
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit',
    case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end, false),
  current_setting('server_encoding') as encoding`

/** Bytes in an index row are few, and those of ids are fewer. */
const MAX_KEY = 1000

/**
 * What stands in the table for a session: its id as JSON writes it, in ASCII, so that each id has its own, also one with NUL
 * or half a surrogate pair, in databases of every encoding. An id of plain characters stands as it is.
 * @throws {JournalError} when it is no text or too long.
 */
export function keyOf(session: string): string {
  if (typeof session !== 'string') throw new JournalError('invalid', 'the session of a journal is named by a text')
  const key = ascii(JSON.stringify(session).slice(1, -1))
  if (key.length > MAX_KEY) {
    throw new JournalError('invalid', `the id of the session is over ${MAX_KEY} characters, as JSON writes it in ASCII`)
  }
  return key
}

/** JSON text in ASCII. */
export function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Of one session: a channel for all would wake every follower for every record. */
export function channelOf(table: string, key: string): string {
  return named(table, key)
}

/** Names of statements and channels hold 63 bytes. */
function named(kind: string, of: string): string {
  return `ph_${createHash('sha256').update(`${kind}\0${of}`).digest('hex').slice(0, 40)}`
}
