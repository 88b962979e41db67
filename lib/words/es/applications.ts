import type { applications as english } from '#lib/words/en/applications'
import type { TranslationOf } from '#lib/words/words'

export const applications: TranslationOf<typeof english> = {}
