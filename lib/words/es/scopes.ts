import type { scopes as english } from '#lib/words/en/scopes'
import type { TranslationOf } from '#lib/words/words'

export const scopes: TranslationOf<typeof english> = {}
