import type { events as english } from '#lib/words/en/events'
import type { TranslationOf } from '#lib/words/words'

export const events: TranslationOf<typeof english> = {}
