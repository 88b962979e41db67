import type { users as english } from '#lib/words/en/users'
import type { TranslationOf } from '#lib/words/words'

export const users: TranslationOf<typeof english> = {}
