import type { datacenters as english } from '#lib/words/en/datacenters'
import type { TranslationOf } from '#lib/words/words'

export const datacenters: TranslationOf<typeof english> = {}
