type Json = unknown

const at = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>(
    (inside, key) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  )

/** RFC 6901 §4: `~1` is a slash and `~0` a tilde. */
const pathOf = (pointer: string): string[] =>
  decodeURIComponent(pointer)
    .slice('#/'.length)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/**
 * A part of the description with each reference replaced by its target. A reference to a schema that contains it stays. `$$ref` gives
 * Swagger UI the name of a schema.
 */
export function dereference(description: Json, path: readonly string[]): Json {
  const resolve = (value: Json, within: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, within))
    if (typeof value !== 'object' || value === null) return value
    const ref: Json = Reflect.get(value, '$ref')
    if (typeof ref === 'string' && ref.startsWith('#/')) {
      if (within.includes(ref)) return value
      const found = resolve(at(description, pathOf(ref)), [...within, ref])
      const isPlain = typeof found === 'object' && found !== null && !Array.isArray(found)
      return isPlain ? { ...found, $$ref: ref } : found
    }
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, resolve(inside, within)]))
  }
  return resolve(at(description, path), []) ?? null
}
