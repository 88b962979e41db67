import { IntlMessageFormat } from 'intl-messageformat'
import { createTranslator } from 'use-intl/core'
import { describe, expect, test } from 'vitest'
import { allErrorCodes, fault } from '#lib/http/errors'
import { words as english } from '#lib/words/en/words'
import { translateFault } from '#lib/words/es/faults'
import { words as spanish } from '#lib/words/es/words'

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

/** What a message is given, and which parts of it are dressed up. */
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

/** What it is given, as a text; of a message that cannot be read, why. */
function needsTold(message: string): string {
  try {
    return JSON.stringify(needsOf(message))
  } catch (error) {
    return String(error)
  }
}

/** Why it cannot be formatted, or nothing. */
function faultOf(locale: string, message: string): string | undefined {
  const told = needsTold(message)
  if (!told.startsWith('{')) return told
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
  return fault ?? (said ? undefined : 'it says nothing')
}

describe.each(Object.keys(english) as Area[])('the words of %s', (area) => {
  const inEnglish = messagesOf(english[area])
  const inSpanish = new Map(messagesOf(spanish[area]))
  const inBoth = [
    ...inEnglish.map(([path, message]) => ['en', path, message] as const),
    ...[...inSpanish].map(([path, message]) => ['es', path, message] as const),
  ]

  test('say in Spanish what they are given', () => {
    const wrong = inEnglish.filter(
      ([path, message]) => needsTold(message) !== needsTold(inSpanish.get(path) ?? ''),
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

  // `one` means other numbers in other languages, and dates and numbers follow the reader's locale.
  test('count one by its number', () => {
    const wrong = inBoth.filter(([, , message]) => /plural,[^}]*\bone\s*\{/.test(message))
    expect(wrong.map(([locale, path]) => `${locale} ${path}`)).toEqual([])
  })
})

test('a refusal of every code is told in Spanish, with what the API says of this case beside it', () => {
  for (const code of allErrorCodes) {
    expect(translateFault(fault(code)), code).toEqual({
      text: expect.not.stringContaining(fault(code).message),
    })
  }
  expect(translateFault({ code: 'NAT-NET-6', message: 'The CIDR overlaps Madrid' })).toEqual({
    text: 'El CIDR se solapa con otra red NAT del mismo dispositivo',
    detail: 'The CIDR overlaps Madrid',
  })
  expect(translateFault({ code: 'NEW-1', message: 'Something new' })).toEqual({ text: 'Something new' })
})
