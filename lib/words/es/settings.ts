import type { settings as english } from '#lib/words/en/settings'
import type { TranslationOf } from '#lib/words/words'

export const settings: TranslationOf<typeof english> = {}
