import type { enterprises as english } from '#lib/words/en/enterprises'
import type { TranslationOf } from '#lib/words/words'

export const enterprises: TranslationOf<typeof english> = {}
