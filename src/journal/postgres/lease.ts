import { JournalError, LockedError } from '../error.ts'
import { isDead, thisHolder, toldHolder } from './holder.ts'
import type { Link } from './link.ts'
import { sqlStateOf } from './passing.ts'
import type { Statements } from './sql.ts'

/** Which lease, and over what. */
export interface LeasePlace {
  readonly link: Link
  readonly sql: Statements
  readonly key: string
  /** How long it holds when its owner says nothing, in milliseconds. */
  readonly ms: number
}

/** The exclusive right to write a session: row 0 of it, as long as the token there is this one. */
export class RowLease {
  readonly #place: LeasePlace
  readonly #holder: string
  #token: string
  /** Over which it was last seen to be held. */
  #connection: number

  private constructor(place: LeasePlace, holder: string, token: string) {
    this.#place = place
    this.#holder = holder
    this.#token = token
    this.#connection = numberOf(place.link)
  }

  /** @throws {LockedError} while another owner holds it. */
  static async take(place: LeasePlace, name: string | undefined): Promise<RowLease> {
    const { link, sql, key, ms } = place
    await makeTable(link, sql)
    const holder = await thisHolder(name)
    const found = await holderIn(place)
    const dead = (await isDead(found)) ? found : null
    const [row] = (await link.query(sql.acquire, [key, holder, ms, dead])) as readonly { readonly token: unknown }[]
    if (row === undefined)
      throw new LockedError(`the journal ${JSON.stringify(key)}`, toldHolder(await holderIn(place)))
    return new RowLease(place, holder, String(row.token))
  }

  /** What tells this lease from all others, for the condition of a statement. */
  get values(): readonly [key: string, token: string, holder: string] {
    return [this.#place.key, this.#token, this.#holder]
  }

  /**
   * Whether it had to be taken again, over a new connection. Then what was said over the old one and not answered is done
   * or will never be.
   * @throws {JournalError} when another owner has taken over.
   */
  async isRegained(): Promise<boolean> {
    const { link, sql, key, ms } = this.#place
    if (link.connection === this.#connection) return false
    const rows = await link.query(sql.regain, [key, this.#holder, ms])
    const [row] = rows as readonly { readonly token: unknown }[]
    if (row === undefined) throw leaseLost()
    this.#token = String(row.token)
    this.#connection = numberOf(link)
    return true
  }

  /** @throws {JournalError} when another owner has taken over. */
  async renew(): Promise<void> {
    const { link, sql, ms } = this.#place
    const rows = await link.query(sql.renew, [...this.values, ms])
    if (rows.length === 0) throw leaseLost()
  }

  /** Does nothing when it is somebody else's by now. */
  async release(): Promise<void> {
    const { link, sql, key } = this.#place
    await link.query(sql.release, [key, this.#holder])
  }
}

/** Of its connection; none is equal to none. */
const numberOf = (link: Link): number => (link.connection === 0 ? Number.NaN : link.connection)

export const leaseLost = (): JournalError =>
  new JournalError('lease-lost', 'the lease of the journal is not held any more: another owner took over')

/** What row 0 says, '' when there is none. */
async function holderIn({ link, sql, key }: LeasePlace): Promise<string> {
  const [row] = (await link.query(sql.holder, [key])) as readonly { readonly record: string }[]
  return row?.record ?? ''
}

/** Asks first: who may write into a table may be allowed to make none, even where it is there. */
async function makeTable(link: Link, sql: Statements): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const [row] = (await link.query(sql.exists)) as readonly { readonly exists: boolean }[]
    return row?.exists === true
  }
  if (await isThere()) return
  try {
    await link.query(sql.create)
  } catch (error) {
    // Two that make it at once collide, though both ask whether it is there.
    if (sqlStateOf(error) === '' || !(await isThere())) throw error
  }
}
