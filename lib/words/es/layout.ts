import type { layout as english } from '#lib/words/en/layout'
import type { TranslationOf } from '#lib/words/words'

export const layout: TranslationOf<typeof english> = {}
