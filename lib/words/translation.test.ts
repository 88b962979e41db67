import { IntlMessageFormat } from 'intl-messageformat'
import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { allErrorCodes, fault } from '#lib/http/errors'
import { words as english } from '#lib/words/en/words'
import { tellFault } from '#lib/words/es/faults'
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

const inEnglish = messagesOf(english)
const inSpanish = new Map(messagesOf(spanish))

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

test.each(inEnglish)('%s says in Spanish what it is given', (path, message) => {
  expect(needsOf(inSpanish.get(path) ?? '')).toEqual(needsOf(message))
})

test.each([
  ['en', inEnglish],
  ['es', [...inSpanish]],
] as const)('every message in %s can be formatted', (locale, messages) => {
  for (const [path, message] of messages) {
    const { values, tags } = needsOf(message)
    const given = Object.fromEntries([
      ...values.map((name) => [name, 3]),
      ...tags.map((name) => [name, (inside: unknown) => inside]),
    ])
    const say = createTranslator({
      locale,
      messages: { message },
      onError: (error) => expect.fail(`${path}: ${error.message}`),
    })
    expect(say.rich('message', given), path).toBeTruthy()
  }
})

/** One, as a number: `one` means other numbers in other languages, and dates and numbers follow the reader's locale. */
test.each([...inEnglish, ...inSpanish])('%s counts one by its number', (_, message) => {
  expect(message).not.toMatch(/plural,[^}]*\bone\s*\{/)
})

test('a refusal of every code is told in Spanish, with what the API says of this case beside it', () => {
  for (const code of allErrorCodes) {
    expect(tellFault(fault(code)), code).toEqual({ text: expect.not.stringContaining(fault(code).message) })
  }
  expect(tellFault({ code: 'NAT-NET-6', message: 'The CIDR overlaps Madrid' })).toEqual({
    text: 'El CIDR se solapa con otra red NAT del mismo dispositivo',
    detail: 'The CIDR overlaps Madrid',
  })
  expect(tellFault({ code: 'NEW-1', message: 'Something new' })).toEqual({ text: 'Something new' })
})
