import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** A template of machines. The enterprises of its scope share it. */
export const templateDocument = z.object({ links, id: z.int(), name: z.string() })
export type TemplateDocument = z.infer<typeof templateDocument>

/** Without a scope link the template is private to its enterprise. */
export const templateInput = z.object({
  name: text(1, 128),
  links: linksOf({ scope: { path: patternOf(kinds.scope) } }),
})
export type TemplateInput = z.infer<typeof templateInput>
