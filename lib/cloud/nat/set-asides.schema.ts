import { z } from 'zod'
import { inFindingKey } from '#lib/cloud/nat/check.schema'
import { coded, text } from '#lib/ground/http/input.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

/** A finding of the NAT check that is set aside (docs/api/nat-check.md, "Set a finding aside"). */
export const natSetAsideDocument = z.object({
  links,
  id: z.int(),
  finding: z.string().meta({ description: 'The key of the finding', example: 'NATCHECK-9.17' }),
  subject: z.string().meta({ description: 'What the finding is about: an address, a network or a device' }),
  reason: z.string(),
  until: z.iso.date().meta({ description: 'The last day (UTC) without the finding', example: '2026-12-31' }),
})
export type NatSetAsideDocument = z.infer<typeof natSetAsideDocument>

const DAY = 24 * 60 * 60 * 1000
/** Days that a finding can be set aside ahead. */
export const LONGEST_DAYS = 366

/** A day in ISO 8601, in UTC. */
export const dayIn = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

const isNear = (day: string): boolean => day >= dayIn(0) && day <= dayIn(LONGEST_DAYS)

/** Body of PUT: the finding stays the same. */
export const natSetAsideInput = z.object({
  reason: text(1, 200),
  until: z.iso
    .date({ abort: true })
    .refine(isNear, coded('CONSTR-PATTERN', 'must be a day from today to a year ahead'))
    .meta({ example: '2026-12-31' }),
})
export type NatSetAsideInput = z.infer<typeof natSetAsideInput>

/** Body of POST. */
export const newNatSetAsideInput = natSetAsideInput.extend({
  finding: z
    .string()
    .max(64)
    .refine((key) => inFindingKey(key) !== undefined, coded('CONSTR-PATTERN', 'must be the key of a finding'))
    .meta({ example: 'NATCHECK-9.17' }),
})
export type NewNatSetAsideInput = z.infer<typeof newNatSetAsideInput>

export const natSetAsideListQuery = pageQuery('id')
export type NatSetAsideListQuery = z.infer<typeof natSetAsideListQuery>
