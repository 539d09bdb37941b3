/** The value with one place changed, once for each place; `skip` names keys that are left alone. */
export function* damaged(value: unknown, wrong: unknown, skip: readonly string[] = []): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    if (skip.includes(key)) continue
    const put = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
    yield put(wrong)
    for (const changed of damaged((value as { readonly [key: string]: unknown })[key], wrong, skip)) yield put(changed)
  }
}
