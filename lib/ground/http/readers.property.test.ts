import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readAuthorization } from '#lib/caller/oauth/parameters.server'
import { fromXml, parseDocument } from '#lib/ground/http/body.server'
import { cookieOf } from '#lib/ground/http/cookies'
import { ApiError } from '#lib/ground/http/errors'
import { percentEncode } from '#lib/ground/http/percent-encode'

/* Untrusted input is either read correctly or refused with a code. */

/** The codes of the refusal, or undefined if the input was read. Any other error fails the test. */
function refusalOf(read: () => unknown): string[] | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.faults.map(({ code }) => code)
  }
}

/** Characters that XML 1.0 allows and does not normalize. */
const xmlText = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) =>
    [...text]
      .filter((letter) => /^[\t\n\x20-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]$/u.test(letter))
      .join(''),
  )

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const name = fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/).filter((text) => text !== 'link')

/** Fragments of documents, some of which join to valid documents. */
const scraps = fc.array(
  fc.constantFrom(
    ...[
      '<',
      '</',
      '/>',
      '>',
      '<a>',
      '</a>',
      '<a',
      ' x="1"',
      '<link',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?xml?>',
    ],
    ...[
      '&amp;',
      '&#0;',
      '&#x110000;',
      '&#xd800;',
      '&bad;',
      '&',
      '<!DOCTYPE a>',
      '__proto__',
      'constructor',
      ' ',
      '\0',
    ],
    ...['{', '}', '[', ']', '"', ':', ',', 'null', '1e999', '\\u0000', '\\'],
  ),
  { maxLength: 24 },
)

describe('a JSON document', () => {
  test('is read as it was written, with null as missing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const read = parseDocument(JSON.stringify(value), 'json', 'a')
        // A null in a list becomes undefined, so the other items keep their index.
        const known = JSON.parse(JSON.stringify(value), (_, field) => field ?? undefined)
        expect(read).toEqual(value === null ? undefined : known)
      }),
    )
  })

  test('is refused with GEN-3 if it is malformed', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          scraps.map((parts) => parts.join('')),
        ),
        (text) => {
          expect([undefined, ['GEN-3']]).toContainEqual(refusalOf(() => parseDocument(text, 'json', 'a')))
        },
      ),
    )
  })

  test('is refused if it is nested too deeply', () => {
    for (const depth of [65, 1000, 200_000]) {
      const text = '['.repeat(depth) + ']'.repeat(depth)
      expect(refusalOf(() => parseDocument(text, 'json', 'a'))).toEqual(['GEN-3'])
    }
  })
})

describe('an XML document', () => {
  test('is read with exactly the texts that were written into it', () => {
    fc.assert(
      fc.property(fc.dictionary(name, xmlText, { minKeys: 1, maxKeys: 5 }), (fields) => {
        const inside = Object.entries(fields).map(([tag, text]) => `<${tag}>${escaped(text)}</${tag}>`)
        expect(parseDocument(`<a>${inside.join('')}</a>`, 'xml', 'a')).toEqual({ ...fields })
      }),
    )
  })

  test('is read like the same document in JSON', () => {
    const schema = z.object({
      on: z.boolean(),
      size: z.int(),
      names: z.array(z.string()),
      inner: z.object({ id: z.int() }),
    })
    const document = fc.record({
      on: fc.boolean(),
      size: fc.integer(),
      names: fc.array(xmlText, { minLength: 1 }),
      inner: fc.record({ id: fc.nat() }),
    })
    fc.assert(
      fc.property(document, ({ on, size, names, inner }) => {
        const list = names.map((text) => `<names>${escaped(text)}</names>`).join('')
        const text = `<a>\n  <on>${on}</on><size> ${size} </size>${list}<inner><id>${inner.id}</id></inner>\n</a>`
        // One empty element is an empty list (docs/api/conventions.md, "JSON and XML").
        const said = names.length === 1 && names[0] === '' ? [] : names
        expect(fromXml(schema, parseDocument(text, 'xml', 'a'))).toEqual({ on, size, names: said, inner })
      }),
    )
  })

  test('is refused with GEN-3 if it is malformed, and entities are never expanded', () => {
    fc.assert(
      fc.property(scraps, fc.boolean(), (parts, isWhole) => {
        const text = isWhole ? `<a>${parts.join('')}</a>` : parts.join('')
        const refused = refusalOf(() => parseDocument(text, 'xml', 'a'))
        expect([undefined, ['GEN-3']]).toContainEqual(refused)
        if (/<!DOCTYPE/.test(text)) expect(refused).toEqual(['GEN-3'])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an OAuth header', () => {
  test('is read with all its parameters except the realm', () => {
    const key = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.toLowerCase() !== 'realm')
    const parameter = fc.tuple(key, fc.string({ unit: 'grapheme' }))
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const written = parameters.map(([key, value]) => `${percentEncode(key)}="${percentEncode(value)}"`)
        expect(readAuthorization(`OAuth realm="here, there", ${written.join(', ')}`)).toEqual(parameters)
      }),
    )
  })

  test('is rejected if it is malformed, at any length', () => {
    const piece = fc.constantFrom('a', '=', '"', ',', ' ', '%', '%41', '%ff', '\\', 'OAuth', 'realm', '\t')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(1, 2000), (pieces, times) => {
        const read = readAuthorization(`OAuth ${pieces.join('').repeat(times)}`)
        expect(read === undefined || read.every(([key]) => key !== '')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a Cookie header', () => {
  const token = fc.stringMatching(/^[\w!#$%&'*+.^`|~-]{1,12}$/)
  const value = fc.stringMatching(/^[\w!#$%&'()*+./:<=>?@[\]^`{|}~-]{1,24}$/)
  const attribute = /^(path|expires|max-age|domain|samesite|httponly|secure)$/i

  test('has the last value of a repeated name, and no value for a missing name', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(token, value), { minLength: 1 }), token, (pairs, other) => {
        const header = pairs.map(([key, text]) => `${key}=${text}`).join('; ')
        const known = new Map(pairs.filter(([key]) => !attribute.test(key)))
        for (const key of [...known.keys(), other]) expect(cookieOf(header, key)).toBe(known.get(key))
      }),
    )
  })

  test('of arbitrary characters is read or rejected, without delay', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(1, 500), (text, times) => {
        const found = cookieOf(text.repeat(times), 'auth')
        expect(found === undefined || found !== '').toBe(true)
      }),
    )
  })
})
