/** `true` when the two types are one, however each is written. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** `true` when each takes the place of the other: what a caller can tell apart. */
export type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** `true` when the interface has those fields with those types, whatever it has besides. */
export type Has<T, Fields> = Same<Pick<T, keyof Fields & keyof T>, Fields>

/** `true` when the function takes these arguments and gives what stands in for `Result`. */
export type Takes<F, Args extends readonly unknown[], Result> = F extends (...args: never[]) => unknown
  ? Args extends Parameters<F>
    ? ReturnType<F> extends Result
      ? true
      : false
    : false
  : false

/** Does nothing at run time; a type argument that is not `true` does not compile. */
export function holds<_Proof extends true>(): void {}
