import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Direction = 'asked' | 'answered'

/** Stands between a client and a server, counts the bytes, and cuts the connection behind one of them. */
export class Cutter {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  readonly passed: { [direction in Direction]: number } = { asked: 0, answered: 0 }
  #cut: { readonly direction: Direction; left: number } | undefined

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((client) => this.#join(client))
  }

  static async before(url: string): Promise<Cutter> {
    const cutter = new Cutter(url)
    await once(cutter.#server.listen(0, '127.0.0.1'), 'listening')
    return cutter
  }

  get url(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** The next bytes of that direction pass, so many of them. */
  cutAfter(direction: Direction, bytes: number): void {
    this.#cut = { direction, left: bytes }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    const both = [client, server]
    for (const socket of both) {
      this.#sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        // What the other was sent before arrives there before the end.
        for (const other of both) other.end()
      })
    }
    client.on('data', (bytes) => this.#pass('asked', bytes, server, both))
    server.on('data', (bytes) => this.#pass('answered', bytes, client, both))
  }

  #pass(direction: Direction, bytes: Buffer, to: Socket, both: readonly Socket[]): void {
    const cut = this.#cut
    const goesOn = cut === undefined || cut.direction !== direction || bytes.length <= cut.left
    if (goesOn) {
      if (cut?.direction === direction) cut.left -= bytes.length
      this.passed[direction] += bytes.length
      to.write(bytes)
      return
    }
    this.#cut = undefined
    to.write(bytes.subarray(0, cut.left))
    for (const socket of both) socket.end()
  }
}
