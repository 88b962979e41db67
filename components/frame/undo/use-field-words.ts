import { useTranslations } from 'use-intl'

/** Fields with a number or a name behind their own: `nic0`, `properties.owner`. */
const numbered = /^([a-zA-Z]+?)(?:(\d+)|\.(.+))$/

/** The fields of the API and their values in the user's language. Fields without words keep their names. */
export function useFieldWords() {
  const say = useTranslations('fields')
  const common = useTranslations('events.values')
  const known = (field: string) => {
    const key = field as Parameters<typeof say.has>[0]
    return say.has(key) ? say(key) : undefined
  }
  const nameOf = (field: string): string => {
    const whole = known(field)
    if (whole !== undefined) return whole
    const [, name = '', number, part] = numbered.exec(field) ?? []
    const own = known(name)
    return own === undefined ? field : `${own} ${number ?? part}`
  }
  const textOf = (value: string): string => {
    if (value === 'true') return common('yes')
    return value === 'false' ? common('no') : value
  }
  return { nameOf, textOf }
}
