import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { allErrorCodes, fault } from '#lib/http/errors'
import { words as english } from '#lib/words/en/words'
import { tellFault } from '#lib/words/es/faults'
import { words as spanish } from '#lib/words/es/words'

type Tree = { readonly [key: string]: string | Tree }

const messagesOf = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : messagesOf(value, `${path}${key}.`),
  )

const inEnglish = messagesOf(english)
const inSpanish = new Map(messagesOf(spanish))

const namesIn = (message: string, pattern: RegExp): string[] =>
  [...new Set([...message.matchAll(pattern)].map(([, name]) => name ?? ''))].sort()

/** What a message is given, and which parts of it are dressed up. */
const needsOf = (message: string) => ({
  values: namesIn(message, /\{\s*(\w+)\s*[,}]/g),
  tags: namesIn(message, /<(\w+)>/g),
})

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
