import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clampStart, flag, pageLinks, pageQuery } from '#lib/ground/http/paging'

const read = (query: Record<string, string>) => pageQuery('name', 'size').safeParse(query)
const count = fc.nat({ max: 500 })

describe('the query of a list', () => {
  test('has its defaults', () => {
    expect(read({}).data).toEqual({ startwith: 0, limit: 25, has: '', by: 'name', asc: true })
  })

  test('limits has to 1024 characters', () => {
    expect(read({ has: 'x'.repeat(1024) }).success).toBe(true)
    expect(read({ has: 'x'.repeat(1025) }).success).toBe(false)
  })
})

describe('a page', () => {
  test('never starts beyond the end, and is empty only for an empty list', () => {
    fc.assert(
      fc.property(count, count, count, (startwith, limit, total) => {
        const start = clampStart(startwith, limit, total)
        expect(start).toBeGreaterThanOrEqual(0)
        expect(start).toBeLessThan(Math.max(total, 1))
        if (startwith < total) expect(start).toBe(startwith)
        else expect(start).toBe(limit === 0 ? 0 : Math.max(total - limit, 0))
      }),
    )
  })

  const paging = { startwith: 0, has: '', by: 'name', asc: true }
  const hrefs = (startwith: number, limit: number, total: number) =>
    Object.fromEntries(
      pageLinks('/list', { ...paging, startwith, limit }, total).map(({ rel, href, ...rest }) => {
        expect(rest).toEqual({})
        return [rel, new URLSearchParams(href.split('?')[1]).get('startwith')]
      }),
    )

  test('links with the filters of the query, in the order of its schema', () => {
    const schema = pageQuery('name').extend({ all: flag('all').optional(), word: z.string().optional() })
    const query = schema.parse({ asc: 'false', word: 'a&b', has: 'c d', all: 'FALSE', limit: '5' })
    expect(pageLinks('/list', query, 9).map(({ rel, href }) => [rel, href])).toEqual([
      ['first', '/list?all=false&word=a%26b&limit=5&has=c%20d&by=name&asc=false'],
      ['last', '/list?all=false&word=a%26b&startwith=4&limit=5&has=c%20d&by=name&asc=false'],
      ['next', '/list?all=false&word=a%26b&startwith=5&limit=5&has=c%20d&by=name&asc=false'],
    ])
    expect(pageLinks('/list', schema.parse({}), 1)[0]?.href).toBe('/list?limit=25&by=name')
  })

  test('links with the order unless it is the list’s own', () => {
    const first = (asc: boolean) =>
      pageLinks('/list', { ...paging, limit: 5, asc, ip: '192.0.2.1', descends: true }, 1)[0]?.href
    expect(first(true)).toBe('/list?ip=192.0.2.1&asc=true&limit=5&by=name')
    expect(first(false)).toBe('/list?ip=192.0.2.1&limit=5&by=name&asc=false')
  })

  test('links with next to every further page, without gaps or repeats', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), count, (limit, total) => {
        let start = 0
        let pages = 1
        for (;;) {
          const { next } = hrefs(start, limit, total)
          if (!next) break
          expect(Number(next)).toBe(start + limit)
          start = Number(next)
          pages += 1
        }
        expect(pages).toBe(Math.max(Math.ceil(total / limit), 1))
      }),
    )
  })

  test('always has the links first and last, and previous only after the start', () => {
    fc.assert(
      fc.property(count, count, count, (startwith, limit, total) => {
        const { first, last, previous } = hrefs(startwith, limit, total)
        expect(first).toBeNull()
        expect(last).toBe(String(limit === 0 ? 0 : Math.max(total - limit, 0)))
        expect(previous).toBe(
          startwith > 0 ? String(limit === 0 ? 0 : Math.max(startwith - limit, 0)) : undefined,
        )
      }),
    )
  })
})
