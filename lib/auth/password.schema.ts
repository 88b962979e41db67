import { text } from '#lib/http/input.schema'

export const PASSWORD_LENGTH = { min: 12, max: 1024 } as const

export const password = text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max)

/** The first password that anybody tries. */
export const isNick = (password: string, nick: string): boolean =>
  password.toLowerCase() === nick.toLowerCase()

export const NOT_THE_NICK = 'must not be the nick'
