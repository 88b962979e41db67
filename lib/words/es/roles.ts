import type { roles as english } from '#lib/words/en/roles'
import type { TranslationOf } from '#lib/words/words'

export const roles: TranslationOf<typeof english> = {}
