import compile from 'icu-minify/compile'
import formatCompiled from 'icu-minify/format'
import { IntlMessageFormat } from 'intl-messageformat'
import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { deviceStatuses } from '#lib/cloud/translations/translations.schema'
import { allErrorCodes, fault } from '#lib/ground/http/errors'
import { words as english } from '#lib/words/en/words'
import { translateFault } from '#lib/words/es/faults'
import { words as spanish } from '#lib/words/es/words'
import type { Say } from '#lib/words/words'

/** Plain text, to the parser. */
const LITERAL = 0

type Tree = { readonly [key: string]: string | Tree }

const messagesOf = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : messagesOf(value, `${path}${key}.`),
  )

type Area = keyof typeof english

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The values and the tags of a message. */
function needsOf(message: string): { values: string[]; tags: string[] } {
  const values = new Set<string>()
  const tags = new Set<string>()
  const walk = (elements: readonly Element[]): void => {
    for (const element of elements) {
      if ('children' in element) tags.add(element.value)
      else if ('value' in element && element.type !== LITERAL) values.add(element.value)
      if ('children' in element) walk(element.children)
      if ('options' in element) for (const { value } of Object.values(element.options)) walk(value)
    }
  }
  walk(new IntlMessageFormat(message, 'en').getAst())
  return { values: [...values].sort(), tags: [...tags].sort() }
}

/** The values and tags of a message as text, or the reason why it cannot be parsed. */
function needsText(message: string): string {
  try {
    return JSON.stringify(needsOf(message))
  } catch (error) {
    return String(error)
  }
}

/** The reason why a message cannot be formatted, or undefined. */
function faultOf(locale: string, message: string): string | undefined {
  const needs = needsText(message)
  if (!needs.startsWith('{')) return needs
  const { values, tags } = needsOf(message)
  const given = Object.fromEntries([
    ...values.map((name) => [name, 3]),
    ...tags.map((name) => [name, (inside: unknown) => inside]),
  ])
  let fault: string | undefined
  const onError = (error: Error) => {
    fault = error.message
  }
  const said = createTranslator({ locale, messages: { message }, onError }).rich('message', given)
  return fault ?? (said ? undefined : 'the text is empty')
}

/** Numbers on both sides of the branches of plurals, each with every name of a branch. */
const samplesOf = (message: string) =>
  [0, 1, 2, 12_345].flatMap((number) =>
    ['word', ...[...message.matchAll(/(\w+) \{/g)].map(([, branch]) => branch ?? '')].map((word) => ({
      number,
      word,
    })),
  )

const isNumeric = (message: string, name: string): boolean =>
  new RegExp(`\\{${name}, (plural|selectordinal|number|date|time)`).test(message)

const formatters = {
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...options),
  getNumberFormat: (...options: ConstructorParameters<typeof Intl.NumberFormat>) =>
    new Intl.NumberFormat(...options),
  getPluralRules: (...options: ConstructorParameters<typeof Intl.PluralRules>) =>
    new Intl.PluralRules(...options),
}

/** The texts of a message that differ as parsed when shown and as compiled by the build. */
function differences(locale: string, message: string): [string, string][] {
  const { values, tags } = needsOf(message)
  const [parsed, compiled] = [new IntlMessageFormat(message, locale), compile(message)]
  const samples = values.length === 0 ? [{ number: 0, word: '' }] : samplesOf(message)
  return samples
    .map((sample): [string, string] => {
      const given = Object.fromEntries([
        ...values.map((name) => [name, isNumeric(message, name) ? sample.number : sample.word]),
        ...tags.map((name) => [name, (inside: string[]) => `[${name} ${inside.join('')}]`]),
      ])
      const text = String(formatCompiled(compiled, locale, given, { formatters }))
      return [String(parsed.format(given)), text]
    })
    .filter(([one, other]) => one !== other)
}

describe.each(Object.keys(english) as Area[])('the words of %s', (area) => {
  const inEnglish = messagesOf(english[area])
  const inSpanish = new Map(messagesOf(spanish[area]))
  const inBoth = [
    ...inEnglish.map(([path, message]) => ['en', path, message] as const),
    ...[...inSpanish].map(([path, message]) => ['es', path, message] as const),
  ]

  test('need the same values in Spanish', () => {
    const wrong = inEnglish.filter(
      ([path, message]) => needsText(message) !== needsText(inSpanish.get(path) ?? ''),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  test('can be formatted', () => {
    const wrong = inBoth.flatMap(([locale, path, message]) => {
      const fault = faultOf(locale, message)
      return fault === undefined ? [] : [`${locale} ${path}: ${fault}`]
    })
    expect(wrong).toEqual([])
  })

  test('read the same when the build compiles them', () => {
    const wrong = inBoth.flatMap(([locale, path, message]) =>
      differences(locale, message).map((texts) => [locale, path, ...texts]),
    )
    expect(wrong).toEqual([])
  })

  // `one` means other numbers in other languages, and dates and numbers follow the reader's locale.
  test('count one by its number', () => {
    const wrong = inBoth.filter(([, , message]) => /plural,[^}]*\bone\s*\{/.test(message))
    expect(wrong.map(([locale, path]) => `${locale} ${path}`)).toEqual([])
  })
})

test('every code has a Spanish refusal, with the details of the API beside it', () => {
  for (const code of allErrorCodes) {
    expect(translateFault(fault(code)), code).toEqual({
      text: expect.not.stringContaining(fault(code).message),
    })
  }
  expect(translateFault({ code: 'NAT-NET-6', message: 'The CIDR overlaps Madrid' })).toEqual({
    text: 'El CIDR se solapa con otra red NAT del mismo dispositivo',
    detail: 'The CIDR overlaps Madrid',
  })
  const taken = `${fault('NAT-RULE-3').message} by the rule TCP all ports → web by the rule:80 (disabled)`
  expect(translateFault({ code: 'NAT-RULE-3', message: taken })).toEqual({
    text: 'Este puerto y protocolo de origen ya los usa en esta IP NAT la regla TCP todos los puertos → web by the rule:80 (desactivada)',
  })
  expect(translateFault({ code: 'NEW-1', message: 'Something new' })).toEqual({ text: 'Something new' })
})

test('a translator of one area is not accepted for another', () => {
  const sayClock = createTranslator({ locale: 'en', messages: english, namespace: 'common.clock' })
  const sayFaults: Say<'forms.faults'> = createTranslator({
    locale: 'en',
    messages: english,
    namespace: 'forms.faults',
  })
  const needsFaults = (say: Say<'forms.faults'>) => say
  expect(needsFaults(sayFaults)).toBe(sayFaults)
  // @ts-expect-error: the translator of another area
  needsFaults(sayClock)
  // @ts-expect-error: one parameter passed on as another
  const needsUserFaults: Say<'users.faults'> = sayFaults
  expect(needsUserFaults).toBe(sayFaults)
})

test.each([
  ['English', english],
  ['Spanish', spanish],
])('each status of a gateway has words of its own in the list of events, in %s', (_, words) => {
  const sentence = words.events.sentences['change-status']
  const reported = deviceStatuses.filter((status) => status !== 'unmanaged' && status !== 'silent')
  for (const status of reported) expect(sentence).toContain(` ${status} {`)
})
