import { z } from 'zod'
import { endsBefore } from '#lib/ground/http/ends.schema'
import { pageQuery } from '#lib/ground/http/paging'
import { links } from '#lib/ground/http/view'

const endKinds = ['user', 'natip', 'natrule'] as const
export type EndKind = (typeof endKinds)[number]

/** What ends by itself, with links to it and to the user who set the end. */
export const endDocument = z.object({
  links,
  kind: z.enum(endKinds),
  id: z.int(),
  name: z.string(),
  ends: z.iso.datetime({ precision: 3 }),
  /** Why it did not end then: codes of what the user who set the end may not do. */
  refused: z.string().optional(),
})
export type EndDocument = z.infer<typeof endDocument>

export const endsQuery = z.object({
  ...pageQuery('ends').shape,
  endsbefore: endsBefore.meta({
    description: 'Only what ends by itself before this moment. By default, within two weeks',
  }),
})
export type EndsQuery = z.infer<typeof endsQuery>
