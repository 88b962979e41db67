import { z } from 'zod'
import { tagged } from '#lib/caller/kinds/notes.schema'
import { deviceStatuses } from '#lib/cloud/translations/translations.schema'
import { shown, type Values } from '#lib/ground/http/fields.schema'
import { linksOf, text } from '#lib/ground/http/input.schema'
import { changed, flag, nameQuery } from '#lib/ground/http/paging'
import { secret } from '#lib/ground/http/secrets'
import { tag } from '#lib/ground/http/tags.schema'
import { linkOf, links } from '#lib/ground/http/view'

/** The fields that are columns. */
export const deviceFields = {
  name: text(1, 128),
  description: text(0, 1024).default(''),
  endpoint: text(0, 1024).default(''),
  user: text(0, 128).default(''),
  ...tagged,
}

export type DeviceFields = Values<typeof deviceFields>

/** A network device. Its password can be written, not read. */
export const deviceDocument = z.object({
  links,
  id: z.int(),
  ...shown(deviceFields),
  status: z
    .enum(deviceStatuses)
    .optional()
    .meta({ description: 'What the gateway of the device reported; missing in the past' }),
})
export type DeviceDocument = z.infer<typeof deviceDocument>

/** The type of device whose gateway comes with this product. */
export const GATEWAY_TYPE = 'LINUX'

export const isLinux = (device: Pick<DeviceDocument, 'links'>): boolean =>
  linkOf(device, 'devicetype')?.title === GATEWAY_TYPE

/** Whether a gateway has ever reported. */
export const hasReported = ({ status }: Pick<DeviceDocument, 'status'>): boolean =>
  status !== undefined && status !== 'unmanaged'

/** `nat`: devices of this type can have NAT networks. */
export const deviceTypeDocument = z.object({ links, id: z.int(), name: z.string(), nat: z.boolean() })
export type DeviceTypeDocument = z.infer<typeof deviceTypeDocument>

/** Body of POST and PUT. A PUT without a password leaves it unchanged; an empty one removes it. */
export const deviceInput = z.object({
  ...deviceFields,
  ...secret('password', text(0, 1024).optional()),
  links: linksOf({ devicetype: { path: '/config/devicetypes/:id', missing: 'GEN-2' } }),
})
export type DeviceInput = z.infer<typeof deviceInput>

/** Query of the list of one datacenter. */
export const devicesQuery = nameQuery.extend({
  changed,
  tag,
  nat: flag('nat').optional().meta({ description: 'Whether the type of the device supports NAT' }),
})
export type DevicesQuery = z.infer<typeof devicesQuery>

/** Query of the list over all datacenters. */
export const deviceQuery = devicesQuery.extend({
  faulty: flag('faulty')
    .optional()
    .meta({ description: 'Whether the gateway is silent, has drifted or refuses translations' }),
})
export type DeviceQuery = z.infer<typeof deviceQuery>
