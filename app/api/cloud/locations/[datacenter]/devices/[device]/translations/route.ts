import { deviceTarget } from '#lib/infrastructure/devices.server'
import { reads } from '#lib/pipeline/endpoint.server'
import { translationQuery } from '#lib/translations/translations.schema'
import { readTranslations } from '#lib/translations/translations.server'

export const GET = reads(readTranslations, {
  summary: 'Read what a device translates, or wait for a change of it',
  who: { anyOf: ['PHYS_DC_RETRIEVE_DETAILS'] },
  target: deviceTarget,
  query: translationQuery,
  answers: { as: 'nattranslations' },
  refuses: ['DEVICE-2', '429-TOO-MANY-REQUESTS'],
})
