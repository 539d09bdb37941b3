/** Own properties only: a key such as `constructor` or `__proto__` in hostile input never reaches a prototype. */
export function own<T>(table: { readonly [key: string]: T }, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
}
