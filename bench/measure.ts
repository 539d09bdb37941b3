/** Compares what runs side by side, so that the load of the machine falls on all of it alike. */

export interface Contender {
  readonly name: string
  run(): unknown
}

/** Milliseconds of each contender: the lower quartile of interleaved runs, behind as many that let the engine warm up. */
export function measure(contenders: readonly Contender[], rounds: number): readonly number[] {
  const times: number[][] = contenders.map(() => [])
  for (let round = -rounds; round < rounds; round++) {
    contenders.forEach((contender, index) => {
      const start = performance.now()
      contender.run()
      const took = performance.now() - start
      if (round >= 0) times[index]!.push(took)
    })
  }
  return times.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 4)]!)
}

export interface Row {
  readonly what: string
  readonly ratio: number
  readonly target?: number
  readonly note: string
}

export function print(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`)
  for (const { what, ratio, target, note } of rows) {
    const goal = target === undefined ? '' : `  target ${target.toFixed(2)}x ${ratio <= target ? 'met' : 'MISSED'}`
    console.log(`  ${what.padEnd(34)} ${ratio.toFixed(2).padStart(6)}x  ${note}${goal}`)
  }
}
