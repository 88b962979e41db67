import { z } from 'zod'
import { coded, text } from '#lib/ground/http/input.schema'
import { links } from '#lib/ground/http/view'

/** A translation of a gateway: a rule, or the default SNAT of one private IP (docs/api/devices.md, "Gateways"). */
const natTranslation = z.object({
  rule: z.int().optional().meta({ description: 'The id of the rule. A default SNAT has none' }),
  kind: z.enum(['dnat', 'snat', 'default']),
  protocol: z.enum(['TCP', 'UDP', 'ANY']).optional(),
  natIp: z.string(),
  natPort: z.int().optional(),
  natPortEnd: z.int().optional().meta({ description: 'The last port of a range' }),
  sources: z
    .array(z.string())
    .optional()
    .meta({ description: 'The CIDRs that may connect. Missing: every source' }),
  privateIp: z.string(),
  privatePort: z.int().optional(),
})
export type NatTranslation = z.infer<typeof natTranslation>

export const natTranslationsDocument = z.object({
  links,
  revision: z.int().meta({ description: 'It grows with each change. The ETag is this number' }),
  leftOut: z.int().optional().meta({
    description: 'Rules that are left out because a program of this `formatVersion` would carry them wrongly',
  }),
  entries: z.array(natTranslation).optional().meta({ description: 'All of them, without `since`' }),
  added: z.array(natTranslation).optional().meta({ description: 'Since that revision' }),
  removed: z.array(natTranslation).optional().meta({ description: 'Since that revision' }),
  unconfirmed: z
    .object({
      seconds: z.int().meta({ description: 'After so many seconds they go back' }),
      added: z.array(natTranslation).optional(),
      removed: z.array(natTranslation).optional(),
    })
    .optional()
    .meta({ description: 'The changes that go back unless they are confirmed' }),
})

/** Body of the action `change` (RFC 6241 §8.4: a confirmed commit). */
export const deviceChangeInput = z.object({
  confirmTimeout: z
    .int()
    .min(10)
    .max(3600)
    .default(60)
    .meta({ description: 'Seconds until unconfirmed changes go back' }),
})

export const deviceChangeDocument = z.object({
  links,
  confirmTimeout: z.int().optional(),
  ends: z.iso.datetime({ precision: 3 }).optional().meta({ description: 'When unconfirmed changes go back' }),
})
export type DeviceChangeDocument = z.infer<typeof deviceChangeDocument>

/**
 * Versions of what an entry means. A program of version 1 knows neither `natPortEnd` nor `sources`, and would carry a rule for some clients
 * for all of them.
 */
export const RANGES_AND_SOURCES = 2

const LONGEST_WAIT = 30

const number = (name: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `${name} must be a number, 0 or more`)
    .transform(Number)

export const translationQuery = z.object({
  since: number('since').optional().meta({
    type: 'integer',
    minimum: 0,
    pattern: undefined,
    description: 'Only what was added and removed since this revision',
  }),
  wait: number('wait')
    .transform((seconds) => Math.min(seconds, LONGEST_WAIT))
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      pattern: undefined,
      description: `Seconds to wait for a revision newer than \`since\`, or than If-None-Match; at most ${LONGEST_WAIT}`,
    }),
  formatVersion: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'formatVersion must be a number from 1 to 999')
    .transform(Number)
    .default(1)
    .meta({
      type: 'integer',
      minimum: 1,
      pattern: undefined,
      description:
        'What the program understands of an entry: from 2 on `natPortEnd` and `sources`. Rules that it would carry wrongly are left out',
    }),
})
export type TranslationQuery = z.infer<typeof translationQuery>

const MOST = 5000
const count = z.int().min(0)
/** Shown in the console and on terminals: control and bidirectional characters could disguise the rest of a line. */
const reported = (most: number) =>
  text(0, most).refine(
    (value) => !/[\t\n\r\u{7f}-\u{9f}\p{Bidi_C}]/u.test(value),
    coded('CONSTR-PATTERN', 'must not contain control or bidirectional characters'),
  )
const reason = reported(1024)
const id = z.int().min(1)

export const stateModes = ['enforce', 'watch'] as const
export const deviceStatuses = [
  'insync',
  'pending',
  'drifted',
  'refused',
  'outdated',
  'silent',
  'unmanaged',
] as const
export type DeviceStatus = (typeof deviceStatuses)[number]

export const ruleStates = [
  'active',
  'pending',
  'drifted',
  'refused',
  'outdated',
  'silent',
  'unmanaged',
] as const
export type RuleState = (typeof ruleStates)[number]

const report = {
  revision: count.meta({ description: 'The revision of the translations that are in force' }),
  mode: z.enum(stateModes),
  interval: z.int().min(1).max(86_400).meta({ description: 'Seconds between two reports' }),
  translations: count.meta({ description: 'How many translations are in force' }),
  drift: z.array(z.object({ rule: id.optional(), reason })).max(MOST),
  refused: z.array(z.object({ rule: id.optional(), reason })).max(MOST),
  counters: z
    .array(z.object({ rule: id, packets: count, bytes: count }))
    .max(MOST)
    .meta({
      description:
        'Connections and datagram flows since the gateway made its table, and the bytes of their first packets. A report may leave out rules whose counters are as before',
    }),
  agent: z.object({ name: reported(128), version: reported(128) }),
  formatVersion: z.int().min(1).max(999).meta({ description: 'The `formatVersion` of its translations' }),
}

/** Body of PUT. */
export const deviceStateInput = z.object({
  ...report,
  mode: report.mode.default('enforce'),
  interval: report.interval.default(10),
  translations: report.translations.default(0),
  drift: report.drift.default([]),
  refused: report.refused.default([]),
  counters: report.counters.default([]),
  agent: report.agent.default({ name: '', version: '' }),
  formatVersion: report.formatVersion.default(1),
})
export type DeviceStateInput = z.infer<typeof deviceStateInput>

/** Without a report there is only the status, `unmanaged`. */
export const deviceStateDocument = z.object({
  links,
  ...z.object(report).partial().shape,
  newestRevision: z
    .int()
    .optional()
    .meta({ description: 'The revision of the translations that should be in force' }),
  leftOut: z
    .int()
    .optional()
    .meta({ description: 'Rules that the gateway does not get because it is too old' }),
  reported: z.iso.datetime({ precision: 3 }).optional(),
  status: z.enum(deviceStatuses),
})
export type DeviceStateDocument = z.infer<typeof deviceStateDocument>
