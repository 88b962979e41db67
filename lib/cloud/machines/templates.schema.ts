import { z } from 'zod'
import { patternOf } from '#lib/caller/kinds/kind'
import { kinds } from '#lib/caller/kinds/kinds'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown, type Values } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** The fields that are columns. */
export const templateFields = { name: text(1, 128), ...noted }

export type TemplateFields = Values<typeof templateFields>

/** A template of machines. The enterprises of its scope share it. */
export const templateDocument = z.object({ links, id: z.int(), ...shown(templateFields) })
export type TemplateDocument = z.infer<typeof templateDocument>

/** Without a scope link the template is private to its enterprise. */
export const templateInput = z.object({
  ...templateFields,
  links: linksOf({ scope: { path: patternOf(kinds.scope) } }),
})
export type TemplateInput = z.infer<typeof templateInput>
