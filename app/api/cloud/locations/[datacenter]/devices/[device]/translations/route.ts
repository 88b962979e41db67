import { deviceTarget } from '#lib/cloud/infrastructure/devices.server'
import { translationQuery } from '#lib/cloud/translations/translations.schema'
import { readTranslations } from '#lib/cloud/translations/translations.server'
import { reads } from '#lib/request/pipeline/endpoint.server'

export const GET = reads(readTranslations, {
  summary: 'Read what a device translates, or wait for a change of it',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: deviceTarget,
  query: translationQuery,
  answers: { as: 'nattranslations' },
  refuses: ['DEVICE-2', '429-TOO-MANY-REQUESTS'],
})
