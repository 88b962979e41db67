import { z } from 'zod'
import { text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

export const virtualApplianceDocument = z.object({ links, id: z.int(), name: z.string() })
export type VirtualApplianceDocument = z.infer<typeof virtualApplianceDocument>

export const virtualApplianceInput = z.object({ name: text(1, 128) })
export type VirtualApplianceInput = z.infer<typeof virtualApplianceInput>
