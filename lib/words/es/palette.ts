import type { palette as english } from '#lib/words/en/palette'
import type { TranslationOf } from '#lib/words/words'

export const palette: TranslationOf<typeof english> = {}
