import { z } from 'zod'
import { coded, text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** Texts by name. Only the console knows their meaning. */
export const preferencesDocument = z.object({ links, properties: z.record(z.string(), z.string()) })
export type PreferencesDocument = z.infer<typeof preferencesDocument>

/** Maximum number of preferences of one user. */
export const MOST_PREFERENCES = 200

export const TOO_MANY = `must have ${MOST_PREFERENCES} entries at most`

const BYTES = 8 * 1024

const bytesOf = (value: string): number => new TextEncoder().encode(value).length

const value = text(0, BYTES).pipe(
  z
    .string()
    .refine(
      (sent) => bytesOf(sent) <= BYTES,
      coded('CONSTR-LENGTH', `must have ${BYTES} bytes in UTF-8 at most`),
    ),
)

const isName = (name: string): boolean => /^[a-z0-9:-]{1,64}$/.test(name)

const noName = (name: string) => {
  const quoted = JSON.stringify(name.slice(0, 64))
  return coded('CONSTR-PATTERN', `the name ${quoted} must be 1 to 64 of the characters a-z, 0-9, : and -`)
}

/** Body of PUT: sets the named preferences, an empty text removes one, and the others stay. */
export const preferencesInput = z.object({
  properties: z
    .record(z.string(), value)
    .superRefine((sent, context) => {
      const names = Object.keys(sent)
      const refuse = (issue: ReturnType<typeof coded>) =>
        context.addIssue({ code: 'custom', ...issue, input: sent })
      if (names.length > MOST_PREFERENCES) refuse(coded('CONSTR-MAX', TOO_MANY))
      for (const name of names) if (!isName(name)) refuse(noName(name))
    })
    .default({}),
})
export type PreferencesInput = z.infer<typeof preferencesInput>
