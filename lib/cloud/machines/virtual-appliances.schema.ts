import { z } from 'zod'
import { noted } from '#lib/caller/kinds/notes.schema'
import { shown, type Values } from '#lib/ground/http/fields.schema'
import { text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** The fields that are columns. */
export const virtualApplianceFields = { name: text(1, 128), ...noted }

export type VirtualApplianceFields = Values<typeof virtualApplianceFields>

export const virtualApplianceDocument = z.object({ links, id: z.int(), ...shown(virtualApplianceFields) })
export type VirtualApplianceDocument = z.infer<typeof virtualApplianceDocument>

export const virtualApplianceInput = z.object(virtualApplianceFields)
export type VirtualApplianceInput = z.infer<typeof virtualApplianceInput>
