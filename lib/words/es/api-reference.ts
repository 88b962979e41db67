import type { apiReference as english } from '#lib/words/en/api-reference'
import type { TranslationOf } from '#lib/words/words'

export const apiReference: TranslationOf<typeof english> = {}
