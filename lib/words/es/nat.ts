import type { nat as english } from '#lib/words/en/nat'
import type { TranslationOf } from '#lib/words/words'

export const nat: TranslationOf<typeof english> = {}
