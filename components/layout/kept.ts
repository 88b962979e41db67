import type { z } from 'zod'

/** What was kept as text; whatever is no use counts as absent. */
export function parseKept<T>(schema: z.ZodType<T>, kept: string | undefined): T | undefined {
  if (kept === undefined) return
  try {
    return schema.safeParse(JSON.parse(kept)).data
  } catch {
    return
  }
}
